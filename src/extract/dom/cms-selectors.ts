import type { Cms } from './cms-fingerprints.ts'
import type { SelectorSet } from './selectors.ts'

// Class names these systems give to event lists, from their own templates.
const SETS: Partial<Record<Cms, SelectorSet[]>> = {
  'the-events-calendar': [
    {
      container: 'article.tribe-events-calendar-list__event, article.tribe-events-pro-photo__event',
      title: '.tribe-events-calendar-list__event-title, .tribe-events-pro-photo__event-title',
      date: 'time[datetime], .tribe-event-date-start',
      time: '.tribe-events-calendar-list__event-datetime, .tribe-event-date-start',
      location: '.tribe-events-calendar-list__event-venue-title',
      address: '.tribe-events-calendar-list__event-venue-address',
      description: '.tribe-events-calendar-list__event-description',
      link: '.tribe-events-calendar-list__event-title-link, h3 a',
      image: 'img',
    },
    {
      container: '.type-tribe_events, .tribe-events-list .tribe-events-loop > div',
      title: '.tribe-events-list-event-title, h2',
      date: '.tribe-event-schedule-details, .tribe-event-date-start',
      location: '.tribe-events-venue-details, .tribe-venue',
      description: '.tribe-events-list-event-description',
      link: 'a.tribe-event-url',
      image: '.tribe-events-event-image img',
    },
  ],
  'events-manager': [
    {
      container: '.em-event.em-item, .em-events-list > li, .em-events-widget > li',
      title: '.em-item-title, a',
      date: '.em-event-date, .em-item-meta-line, li',
      time: '.em-event-time',
      location: '.em-event-location',
      description: '.em-item-desc',
      link: '.em-item-title a, a',
      image: '.em-item-image img',
    },
  ],
  'modern-events-calendar': [
    {
      container: '.mec-event-article',
      title: '.mec-event-title',
      date: '.mec-start-date-label, .mec-event-date, .mec-event-d',
      time: '.mec-start-time, .mec-time-details, .mec-event-time',
      location: '.mec-venue-details, .mec-event-loc-place, .mec-grid-event-location',
      description: '.mec-event-description',
      link: '.mec-event-title a',
      image: '.mec-event-image img',
    },
  ],
  eventon: [
    {
      container: '.eventon_list_event',
      title: '.evcal_event_title',
      date: '.evo_eventcard_time_t, [itemprop="startDate"]',
      location: '.evo_location_name',
      link: '.evcal_evdata_row a[href]',
    },
  ],
  drupal: [
    {
      container: '.views-row',
      title: '.views-field-title, .node__title, h2, h3',
      date: 'time[datetime], .views-field-field-date, .field--name-field-date, .date-display-single',
      location: '.views-field-field-location, .field--name-field-location',
      description: '.views-field-body, .field--name-body',
      link: '.views-field-title a, .node__title a, h2 a, h3 a',
      image: 'img',
    },
  ],
  squarespace: [
    {
      container: 'article.eventlist-event',
      title: '.eventlist-title',
      date: 'time.event-date',
      time: '.event-time-12hr-start, .event-time-12hr, .event-time-24hr',
      location: '.eventlist-meta-address',
      description: '.eventlist-excerpt',
      link: 'a.eventlist-title-link',
      image: 'img',
    },
  ],
  wix: [
    {
      container: '[data-hook="event-list-item"], [data-hook="events-card"]',
      title: '[data-hook="title"], [data-hook="ev-list-item-title"]',
      date: '[data-hook="date"], [data-hook="ev-full-date-location"]',
      location: '[data-hook="location"]',
      description: '[data-hook="ev-list-item-description"]',
      link: 'a[href]',
      image: 'img',
    },
  ],
  joomla: [
    {
      container: '.jem-event, .jevents .ev_td_li, li.ev_td_li',
      title: '.jem-event-title, .ev_link_row',
      date: '.jem-event-date, .ev_td_li',
      location: '.jem-event-venue',
      link: 'a[href]',
    },
  ],
  typo3: [
    {
      container: '.tx-sfeventmgt .event, .news-list-view .article, .cal-event',
      title: 'h2, h3, .title',
      date: 'time[datetime], .date, .event-date',
      location: '.location',
      description: '.teaser-text, p',
      link: 'a[href]',
      image: 'img',
    },
  ],
  webflow: [
    {
      container: '.w-dyn-item',
      title: 'h2, h3, h4, [class*="title"]',
      date: 'time[datetime], [class*="date"]',
      location: '[class*="location"], [class*="venue"]',
      link: 'a[href]',
      image: 'img',
    },
  ],
}

// The page of one event, by the same systems.
const DETAILS: Partial<Record<Cms, SelectorSet>> = {
  'the-events-calendar': {
    container: '.tribe-events-single',
    title: '.tribe-events-single-event-title',
    date: '.tribe-events-schedule',
    location: '.tribe-events-meta-group-venue .tribe-venue, .tribe-block__venue__name',
    address: '.tribe-street-address',
    city: '.tribe-locality',
    postalCode: '.tribe-postal-code',
    organizer: '.tribe-organizer',
    price: '.tribe-events-cost',
    description: '.tribe-events-single-event-description',
    image: '.tribe-events-event-image img',
    link: 'link[rel="canonical"]',
  },
  'modern-events-calendar': {
    container: '.mec-single-event',
    title: '.mec-single-title',
    date: '.mec-single-event-date .mec-start-date-label, .mec-single-event-date',
    time: '.mec-single-event-time',
    location: '.mec-single-event-location .author, .mec-single-event-location .org',
    address: '.mec-single-event-location .mec-address',
    organizer: '.mec-single-event-organizer .mec-organizer',
    price: '.mec-event-cost .mec-events-event-cost',
    description: '.mec-single-event-description',
    link: 'link[rel="canonical"]',
  },
}

export function cmsDetailSelectors(cms: Cms): SelectorSet | null {
  return DETAILS[cms] ?? null
}

/** Ready selectors for a system, best first; none when its pages have no fixed shape. */
export function cmsSelectors(cms: Cms): SelectorSet[] {
  return SETS[cms] ?? []
}

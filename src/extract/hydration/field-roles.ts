import { remember } from '../../kernel/remember.ts'

export type Role =
  | 'title'
  | 'start'
  | 'end'
  | 'date'
  | 'time'
  | 'published'
  | 'modified'
  | 'location'
  | 'city'
  | 'url'
  | 'slug'
  | 'image'
  | 'description'
  | 'body'
  | 'price'
  | 'organizer'
  | 'status'
  | 'cancelled'
  | 'uid'
  | 'tags'
  | 'author'
  | 'section'
  | 'timezone'
  | 'allDay'
  | 'online'
  | 'language'
  | 'type'

const MOMENT =
  '(?:s|date|dates|datetime|dt|time|timestamp|ts|at|on|utc|gmt|local|iso|day|datum|tijd|moment|unix)*'

// Tested in order against the key in lower case without separators; the first that fits wins.
const RULES: readonly [Role, RegExp][] = [
  [
    'start',
    new RegExp(
      `^(?:event|show|first|actual|scheduled|opening)?(?:start|starts|starting|begin|begins|begint|van|from|aanvang)${MOMENT}$`,
    ),
  ],
  [
    'start',
    /^(?:dtstart|date(?:time)?(?:start|from|begin|van)|event(?:date|datetime|day)|(?:show|performance|concert|gig)(?:date|datetime|time)|fromdate|when)$/,
  ],
  [
    'end',
    new RegExp(
      `^(?:event|show|last|actual|scheduled|closing)?(?:end|ends|ending|finish|finishes|stop|eind|einde|until|tot)${MOMENT}$`,
    ),
  ],
  ['end', /^(?:dtend|date(?:time)?(?:end|to|tot)|todate)$/],
  [
    'published',
    /^(?:first|date|original|initial)?(?:publish|published|publication|pub|posted|post|publicatie|release|released|live|display)(?:ed)?(?:date|datum|datetime|time|timestamp|at|on|utc|gmt)*$/,
  ],
  [
    'published',
    /^(?:datepublished|datecreated|created(?:at|on|date)?|publishedatutc|gepubliceerd(?:op)?)$/,
  ],
  [
    'modified',
    /^(?:date|last)?(?:modified|updated|update|modification|edited|changed)(?:date|datetime|time|timestamp|at|on|gmt)*$/,
  ],
  [
    'date',
    /^(?:date|dates|datum|data|datetime|day|dag|dategmt|displaydate|formatteddate|timestamp)$/,
  ],
  ['time', /^(?:time|tijd|tijdstip|hour|doors|showtime|begintijd|aanvangstijd)$/],
  [
    'title',
    /^(?:title|titel|name|naam|headline|heading|(?:event|post|article|page|display|full|main|short|seo)(?:title|name|titel|naam|headline)|titletext|kop)$/,
  ],
  [
    'location',
    /^(?:location|locatie|venue|place|plek|locations|venues|hall|room|zaal|podium|where|(?:location|venue|place)(?:name|title|text)|geolocation|address|adres|theater|stage)$/,
  ],
  ['city', /^(?:city|town|stad|plaats|municipality|gemeente|locality|cityname|venuecity)$/],
  [
    'url',
    /^(?:url|link|href|permalink|uri|path|canonical|(?:canonical|full|detail|event|page|web|webpage|share|public|article|post|absolute|relative|external|site|website)(?:url|link|uri|path|href))$/,
  ],
  ['slug', /^(?:slug|slugs|urlslug|seoslug|alias|urlkey|handle)$/],
  [
    'image',
    /^(?:image|images|img|imageurl|thumbnail|thumbnailurl|thumb|photo|picture|afbeelding|poster|cover|(?:cover|featured|hero|lead|main|promo|header|teaser|card|primary|listing)(?:image|img|photo|media|picture)(?:url)?|logo)$/,
  ],
  [
    'description',
    /^(?:description|desc|omschrijving|beschrijving|excerpt|summary|samenvatting|intro|introduction|inleiding|introtext|lead|teaser|teasertext|subtitle|abstract|dek|deck|standfirst|blurb|(?:short|meta|event|seo|long|full|html|text)(?:description|desc|summary|text))$/,
  ],
  [
    'body',
    /^(?:body|content|articlebody|bodytext|bodyhtml|text|html|fulltext|contenthtml|tekst|story)$/,
  ],
  [
    'price',
    /^(?:price|prices|prijs|pricing|cost|costs|(?:ticket|min|max|from|regular|entry|lowest)price|fee|priceinfo|pricetext|offers|tickets)$/,
  ],
  [
    'organizer',
    /^(?:organi[sz]er|organi[sz]ers|organisator|organisatie|host|hosts|promoter|organi[sz]ation|presenter|organi[sz]ername)$/,
  ],
  ['cancelled', /^(?:is)?(?:cancelled|canceled|geannuleerd|afgelast)$/],
  ['status', /^(?:status|eventstatus|state|ticketstatus|statuscode)$/],
  [
    'uid',
    /^(?:id|uid|uuid|guid|eventid|identifier|nodeid|databaseid|objectid|postid|articleid|externalid)$/,
  ],
  [
    'tags',
    /^(?:tags|categories|category|genres|genre|keywords|topics|labels|categorie|categorieen|themes)$/,
  ],
  [
    'author',
    /^(?:author|authors|byline|bylines|writer|writers|creator|auteur|auteurs|contributors|authorname)$/,
  ],
  [
    'section',
    /^(?:section|sections|rubriek|channel|primarysection|sectionname|vertical|maincategory|primarycategory)$/,
  ],
  ['timezone', /^(?:timezone|tz|timezoneid|timezonename|eventtimezone)$/],
  ['allDay', /^(?:is)?(?:allday|wholeday|fullday|heledag)$/],
  ['online', /^(?:online|stream|livestream|virtual|streaming|zoom)(?:event)?(?:url|link)$/],
  ['language', /^(?:lang|language|locale|languagecode|inlanguage|taal)$/],
  [
    'type',
    /^(?:typename|type|contenttype|posttype|kind|model|doctype|entitytype|objecttype|template)$/,
  ],
]

/** What a key of a state object is likely to hold, from its name alone. */
export const roleOf = remember(20_000, (key: string): Role | null => {
  const name = key.length > 60 ? '' : key.toLowerCase().replace(/[^a-z\d]/g, '')
  return RULES.find(([, pattern]) => pattern.test(name))?.[0] ?? null
})

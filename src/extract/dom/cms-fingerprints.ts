export type Cms =
  | 'wordpress'
  | 'the-events-calendar'
  | 'events-manager'
  | 'modern-events-calendar'
  | 'eventon'
  | 'drupal'
  | 'wix'
  | 'squarespace'
  | 'joomla'
  | 'typo3'
  | 'ghost'
  | 'shopify'
  | 'webflow'
  | 'hubspot'
  | 'weebly'
  | 'umbraco'
  | 'sitecore'
  | 'sharepoint'
  | 'craft'
  | 'concrete'
  | 'contao'
  | 'civicplus'
  | 'legistar'
  | 'next'
  | 'nuxt'
  | 'gatsby'
  | 'sveltekit'
  | 'astro'

export interface Fingerprint {
  cms: Cms
  /** A plugin says more about the page than the system it runs in; a framework says less. */
  layer: 'plugin' | 'system' | 'framework'
  generator?: RegExp
  address?: RegExp
  markup?: RegExp
}

/** Marks systems leave in their pages: the generator tag, where files come from, class names and ids. */
export const FINGERPRINTS: Fingerprint[] = [
  {
    cms: 'the-events-calendar',
    layer: 'plugin',
    address: /\/plugins\/(?:the-events-calendar|events-calendar-pro)\//,
    markup: /class="[^"]*\btribe-(?:events|common)\b/,
  },
  {
    cms: 'events-manager',
    layer: 'plugin',
    address: /\/plugins\/events-manager\//,
    markup: /class="[^"]*\bem-(?:event|events|item|calendar)\b/,
  },
  {
    cms: 'modern-events-calendar',
    layer: 'plugin',
    address: /\/plugins\/modern-events-calendar/,
    markup: /class="[^"]*\bmec-(?:event|wrap|skin)/,
  },
  {
    cms: 'eventon',
    layer: 'plugin',
    address: /\/plugins\/eventon\//i,
    markup: /class="[^"]*\beventon_(?:list|events)/,
  },
  {
    cms: 'wordpress',
    layer: 'system',
    generator: /wordpress/i,
    address: /\/wp-(?:content|includes)\//,
  },
  {
    cms: 'drupal',
    layer: 'system',
    generator: /drupal/i,
    address: /\/(?:core\/misc|sites\/(?:default|all)\/(?:files|themes|modules))\//,
    markup: /data-drupal-|Drupal\.settings/,
  },
  {
    cms: 'wix',
    layer: 'system',
    generator: /wix\.com/i,
    address: /(?:static|siteassets)\.(?:parastorage|wixstatic)\.com/,
  },
  {
    cms: 'squarespace',
    layer: 'system',
    generator: /squarespace/i,
    address: /static1?\.squarespace\.com|squarespace-cdn\.com/,
    markup: /Static\.SQUARESPACE_CONTEXT/,
  },
  {
    cms: 'joomla',
    layer: 'system',
    generator: /joomla/i,
    address: /\/media\/(?:jui|system\/js|vendor\/joomla)|option=com_/,
  },
  { cms: 'typo3', layer: 'system', generator: /typo3/i, address: /\/typo3(?:temp|conf)\// },
  { cms: 'ghost', layer: 'system', generator: /^ghost\b/i, address: /\/ghost\/api\// },
  { cms: 'shopify', layer: 'system', address: /cdn\.shopify\.com/, markup: /Shopify\.theme/ },
  { cms: 'webflow', layer: 'system', generator: /webflow/i, markup: /data-wf-(?:page|site)=/ },
  {
    cms: 'hubspot',
    layer: 'system',
    generator: /hubspot/i,
    address: /\.hs-(?:scripts|analytics)\.(?:com|net)|hubspotusercontent/,
  },
  { cms: 'weebly', layer: 'system', address: /editmysite\.com/ },
  {
    cms: 'umbraco',
    layer: 'system',
    generator: /umbraco/i,
    markup: /\/umbraco\/(?:surface|api)\//,
  },
  { cms: 'sitecore', layer: 'system', markup: /\/-\/media\/|sc_(?:itemid|lang)=/ },
  {
    cms: 'sharepoint',
    layer: 'system',
    generator: /sharepoint/i,
    address: /\/_layouts\/(?:15\/)?(?:init|sp)\./,
  },
  { cms: 'craft', layer: 'system', generator: /craft cms/i },
  { cms: 'concrete', layer: 'system', generator: /concrete ?(?:5|cms)/i },
  { cms: 'contao', layer: 'system', generator: /contao/i },
  { cms: 'civicplus', layer: 'system', address: /civicplus|civicengage/i, markup: /CivicEngage/ },
  {
    cms: 'legistar',
    layer: 'system',
    address: /legistar/i,
    markup: /ctl00_ContentPlaceHolder1_gridCalendar/,
  },
  { cms: 'next', layer: 'framework', generator: /next\.js/i, address: /\/_next\/static\// },
  {
    cms: 'nuxt',
    layer: 'framework',
    generator: /nuxt/i,
    address: /\/_nuxt\//,
    markup: /id="__nuxt"/,
  },
  { cms: 'gatsby', layer: 'framework', generator: /gatsby/i, markup: /id="___gatsby"/ },
  {
    cms: 'sveltekit',
    layer: 'framework',
    address: /\/_app\/immutable\//,
    markup: /data-sveltekit-/,
  },
  {
    cms: 'astro',
    layer: 'framework',
    generator: /astro/i,
    address: /\/_astro\//,
    markup: /<astro-island/,
  },
]

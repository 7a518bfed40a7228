// What class names, ids and roles say about an element, in the languages seen most. Each group is one
// column of evidence for the block model; no group decides anything by itself.

const groups: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'body',
    /article-?(body|content|text)|(entry|post|story|page|main|text|body|blog|news|rich|single|detail)-?(content|body|text)|body-?(copy|text|content)|prose|markdown|wysiwyg|parser-output|articulo|artikel-?text|inhalt|contenu|contenido|conteudo|corpo|cuerpo|noticia|fliesstext|redactor|td-post-content/,
  ],
  [
    'article',
    /article|artikel|story|\bpost\b|\bentry\b|hentry|beitrag|\bblog|\bnews\b|\bnota\b|bericht|nieuws/,
  ],
  ['content', /content|\bmain\b|\btext\b|\bbody\b|\bcopy\b|\bcontainer\b|\bcol\b|\bcolumn/],
  [
    'comment',
    /comment|disqus|kommentar|commentaire|comentario|reactie|\breacties|opinione|respond\b|livefyre|leserbrief|discussion/,
  ],
  [
    'related',
    /relat|recommend|similar|popular|trending|latest|most-?(read|viewed|popular)|\bmore\b|more-?(from|stories|news|posts|articles)|read-?(more|next|also)|also-?(like|read)|verwandt|aehnlich|mehr-?(zum|aus)|lire-?aussi|leggi|relacionad|gerelateerd|lees-?(ook|meer)|suggest|outbrain|taboola|recirc|promoted|\bnext\b|\bprev|upnext|crosslink|teaser|weiterlesen/,
  ],
  [
    'nav',
    /\bnav|navi\b|navigation|menu|breadcrumb|pagina|pager|\btoc\b|table-of-contents|\btabs?\b|skip-?(link|to)|sitemap|toolbar|\blinks?\b|dropdown|inhaltsverzeichnis/,
  ],
  [
    'share',
    /shar(e|ing)|social|facebook|twitter|whatsapp|linkedin|pinterest|follow|teilen|partage|compart|delen|addthis|sociable|shariff|like-?(box|button)|\bactions?\b/,
  ],
  [
    'meta',
    /byline|author|autor|auteur|\bmeta|\bdate|\btime\b|timestamp|publish|posted|\btags?\b|categor|credit|kicker|dateline|info\b|details?\b|label|rubri|badge|\bstats?\b|views|user/,
  ],
  [
    'promo',
    /promo|advert|\bads?\b|\bad-|-ad\b|adsense|dfp|sponsor|banner|werbung|anzeige|publicid|publicit|reklam|\bcta\b|donat|campaign|affiliate|marketing|call-to-action/,
  ],
  [
    'subscribe',
    /newsletter|subscri|sign-?up|\babo\b|abonn|paywall|premium|membership|register|regist|log-?in|mailing|optin|opt-in/,
  ],
  [
    'side',
    /side-?bar|sidebar|\bside\b|\baside\b|widget|\brail\b|secondary|complementary|right-?(col|rail|side)|rechts|marginal|seitenleiste|barra-?lateral|sticky|infobox|factbox|\bbox\b/,
  ],
  ['foot', /foot|copyright|legal|imprint|impressum|colophon|disclaimer|site-?info|bottom/],
  ['head', /\bheader|masthead|top-?bar|\btop\b|banner|logo|branding|kopf|hero|search|suche|zoek/],
  [
    'overlay',
    /cookie|consent|gdpr|modal|popup|pop-up|overlay|dialog|lightbox|\balert|notice|notification|toast|offcanvas|drawer|tooltip|warning|message-?box|loading|error/,
  ],
  [
    'media',
    /caption|figure|image|photo|picture|gallery|video|slideshow|slider|carousel|media|player|bild|imagen|thumb|audio|embed|\bimg/,
  ],
  ['bio', /bio\b|about-?(the-?)?author|author-?(box|bio|info|card|desc)|biograph|profile|autoren/],
  [
    'product',
    /product|price|preis|prijs|\bsku\b|\bcart\b|basket|spec(s|ification)|shop|buy|review|rating|variant|add-to|checkout|woocommerce/,
  ],
  [
    'forum',
    /forum|thread|topic|postbody|post-?(body|message|text)|message|messaggio|bbcode|bbwrapper|question|answer|reply|replies|\bpost-?\d|userbody|cooked/,
  ],
  [
    'listing',
    /\bcards?\b|\blist|listing|\bgrid|\bitems?\b|\btile|\bfeed\b|archive|collection|result|stream|\bindex\b|catalog|overview|\bloop\b|\brow\b/,
  ],
  [
    'title',
    /title|headline|heading|titel|titre|titulo|titolo|subtitle|\bdek\b|standfirst|\bh1\b|ueberschrift/,
  ],
  [
    'lead',
    /\blead\b|intro|summary|abstract|excerpt|chapeau|vorspann|teasertext|\bdesc|description|resumen|sommaire|entradilla|bajada|standfirst|accroche/,
  ],
  ['quote', /quote|zitat|citat|blockquote|pull/],
  [
    'hidden',
    /hidden|sr-only|visually|screen-?reader|invisible|d-none|\bhide|collapse|offscreen|print-only|inactive/,
  ],
  [
    'section',
    /\bsection|feature|benefit|service|faq|accordion|testimonial|module|\bblock\b|panel|paragraph|elementor|wp-block|field-?item|text-?block|et_pb|wpb/,
  ],
  [
    'code',
    /\bcode|highlight|snippet|syntax|\bpre\b|source|docs?\b|documentation|\bdoc-|reference|\bapi\b/,
  ],
]

export const hintNames: readonly string[] = groups.map(([name]) => name)

/** One bit per hint group that a class or id attribute touches. */
export function hintsOf(attribute: string): number {
  if (attribute.length > maxLength) attribute = attribute.slice(0, maxLength)
  const known = wholes.get(attribute)
  if (known !== undefined) return known
  let mask = 0
  for (const name of attribute.split(/\s+/)) mask |= hintsOfName(name)
  remember(wholes, attribute, mask)
  return mask
}

/** Single names recur on many sites; numbers in them differ and mean nothing. */
function hintsOfName(name: string): number {
  const key = name.replace(/\d+/g, '0')
  const known = names.get(key)
  if (known !== undefined) return known
  // "articleBody" and "article_body" read the same as "article-body".
  const text = key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/_+/g, '-')
    .toLowerCase()
  let mask = 0
  for (let bit = 0; bit < groups.length; bit++) {
    if (groups[bit]?.[1].test(text) === true) mask |= 1 << bit
  }
  remember(names, key, mask)
  return mask
}

function remember(cache: Map<string, number>, key: string, mask: number): void {
  if (cache.size >= cacheLimit) cache.clear()
  // A copy: what was cut out of a page would keep the whole page in memory.
  cache.set(Buffer.from(key).toString(), mask)
}

const maxLength = 600
const cacheLimit = 20_000
const wholes = new Map<string, number>()
const names = new Map<string, number>()

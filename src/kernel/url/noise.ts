// Parameters that say who clicked or whose visit it is, never which page.

export interface Param {
  name: string
  value: string
}

export function dropNoiseParams<T extends Param>(params: T[]): T[] {
  return params.filter(({ name, value }) => !isTracking(name) && !isSession(name, value))
}

/** `/page;jsessionid=1A2B` and ASP.NET's `/(S(abc))/page` carry the visit in the path. */
export function dropPathSession(path: string): string {
  return path
    .replace(/;(?:jsessionid|phpsessid|sid|sessionid)=[^/;]*/gi, '')
    .replace(/\/\((?:[a-z]\([0-9a-z]{20,}\))+\)(?=\/)/gi, '')
    .replace(/\/\([0-9a-z]{24}\)(?=\/)/gi, '')
}

const TRACKING_PREFIX =
  /^(?:utm|mtm|matomo|pk|piwik|itm|hsa|oly|vero|sfmc|fb_action|guce_referrer|ga|gad|__hs|stm|trk)_/
const TRACKING_NAMES = new Set(
  `gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ysclid twclid ttclid li_fat_id srsltid igshid igsh
  clickid click_id partnerid mc_cid mc_eid mc_tc mkt_tok _ga _gl _gac _gid _hsenc _hsmi __hssc __hstc __hsfp
  hsctatracking fb_ref fb_source fb_comment_id ref_src ref_url s_cid s_kwcid ef_id epik xtor at_medium
  at_campaign at_custom1 wt_mc wt_zmc wt.mc_id wt.nav cmpid ncid ns_campaign ns_mchannel ns_source
  ns_linkname ns_fee sc_campaign sc_channel sc_country sc_outcome rb_clickid _openstat _branch_match_id
  __twitter_impression _kx _ke dm_i spm scm nr_email_referer ml_subscriber ml_subscriber_hash
  guccounter mibextid vgo_ee aff_id affid`
    .split(/\s+/)
    .filter(Boolean),
)

function isTracking(name: string): boolean {
  const lower = name.toLowerCase()
  return TRACKING_NAMES.has(lower) || TRACKING_PREFIX.test(lower)
}

const SESSION_NAME =
  /^(?:phpsessid|jsessionid|aspsessionid[a-z]{8}|asp\.net_sessionid|cfid|cftoken|sessionid|session_id|sessid|oscsid|zenid|osCAdminID)$/i
// Short names mean other things too; only a long random value gives them away.
const MAYBE_SESSION_NAME = /^(?:s|sid|session|sess|token_id)$/i
const RANDOM_VALUE = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|(?=[^&]*\d)(?=[^&]*[a-z])[0-9a-z]{26,})$/i

function isSession(name: string, value: string): boolean {
  return SESSION_NAME.test(name) || (MAYBE_SESSION_NAME.test(name) && RANDOM_VALUE.test(value))
}

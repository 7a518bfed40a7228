/** What people type who look for something to do, by the language they would use. */
const phrases: Record<string, readonly string[]> = {
  nl: ['agenda', 'evenementen', 'uitagenda', 'theater programma', 'activiteiten weekend'],
  de: ['Veranstaltungen', 'Veranstaltungskalender', 'Termine', 'Theater Programm', 'Konzerte'],
  fr: ['agenda', 'événements', 'programme théâtre', 'sortir', 'concerts'],
  en: ['events', 'what is on', 'event calendar', 'theatre programme', 'live music'],
}
const languageOfCountry: Record<string, string> = {
  NL: 'nl',
  BE: 'nl',
  DE: 'de',
  AT: 'de',
  CH: 'de',
  FR: 'fr',
}

export function languageOf(country: string): string {
  return languageOfCountry[country] ?? 'en'
}

/** Five searches that lead to the agendas of a place. */
export function queriesFor(place: string, country: string): string[] {
  return (phrases[languageOf(country)] ?? []).map((phrase) => `${phrase} ${place}`)
}

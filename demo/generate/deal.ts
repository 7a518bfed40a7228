import type { Category, Idea, Language, Random, Story } from '../types.ts'
import { dutchIdeas } from './ideas-nl.ts'
import { englishIdeas } from './ideas-en.ts'
import { dutchStories } from './stories-nl.ts'
import { englishStories } from './stories-en.ts'
import { parseStories } from './stories.ts'

export interface Dealer {
  ideas(category: Category, language: Language, count: number): Idea[]
  stories(language: Language, count: number): Story[]
}

/**
 * Hands out every idea once over the whole demo web, so that two items with the same title are
 * always a deliberate copy and never an accident.
 */
export function createDealer(random: Random): Dealer {
  const piles = new Map<string, Idea[]>()
  const storyPiles = new Map<Language, Story[]>()
  return {
    ideas(category, language, count) {
      const name = `${language}/${category}`
      const pile = piles.get(name) ?? random.fork(name).shuffle(parseIdeas(category, language))
      piles.set(name, pile)
      return draw(pile, count, name)
    },
    stories(language, count) {
      const text = language === 'nl' ? dutchStories : englishStories
      const pile =
        storyPiles.get(language) ?? random.fork(`stories/${language}`).shuffle(parseStories(text))
      storyPiles.set(language, pile)
      return draw(pile, count, `${language} stories`)
    },
  }
}

function draw<T>(pile: T[], count: number, name: string): T[] {
  if (pile.length < count) throw new Error(`the demo web ran out of ${name}`)
  return pile.splice(0, count)
}

function parseIdeas(category: Category, language: Language): Idea[] {
  const text = (language === 'nl' ? dutchIdeas : englishIdeas)[category] ?? ''
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [title = '', description = ''] = line.split(' | ')
      return { title: title.trim(), description: description.trim(), category }
    })
}

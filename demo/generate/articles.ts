import type { DemoArticle, Language, SiteContext, Story } from '../types.ts'
import { backgrounds } from './backgrounds.ts'
import { personName } from './people.ts'
import { at } from './random.ts'
import { slugify } from './slug.ts'

/** Turns stories into dated, signed articles, newest first, spread over the last weeks. */
export function makeArticles(
  context: SiteContext,
  stories: Story[],
  options: { language: Language; firstNumber?: number },
): DemoArticle[] {
  const random = context.random.fork('articles')
  const authors = Array.from({ length: 6 }, () => personName(random, options.language))
  let published = context.now.getTime() - random.int(20, 90) * minute
  return stories.map((story, index) => {
    const publishedAt = new Date(Math.floor(published / minute) * minute)
    published -= random.int(120, 1300) * minute
    const number = (options.firstNumber ?? 1) + index
    return {
      kind: 'article',
      id: `${context.key}:article-${number}`,
      slug: slugify(story.title),
      title: story.title,
      lead: story.lead,
      paragraphs: paragraphsOf(
        story,
        options.language,
        index,
        personName(random, options.language),
      ),
      section: story.section,
      author: random.pick(authors),
      language: options.language,
      publishedAt,
      updatedAt: publishedAt,
      sameAs: [],
    }
  })
}

/** The body after the lead: facts two by two, a quote in between, some context at the end. */
function paragraphsOf(story: Story, language: Language, index: number, speaker: string): string[] {
  const facts: string[] = []
  for (let i = 0; i < story.sentences.length; i += 2) {
    facts.push(story.sentences.slice(i, i + 2).join(' '))
  }
  const quotes = language === 'nl' ? dutchQuotes : englishQuotes
  const quote = (quotes[index % quotes.length] ?? '').replace('{who}', speaker)
  const context = backgrounds[language]
  return [...facts.slice(0, 1), quote, ...facts.slice(1), at(context, index % context.length)]
}

const minute = 60_000

const dutchQuotes = [
  '“We hadden er eerlijk gezegd niet meer op gerekend”, zegt {who}, die vanaf de eerste dag betrokken was. “Des te mooier dat het nu zover is.”',
  'Volgens {who} is dat geen toeval. “Als je lang genoeg volhoudt, komt er vanzelf iemand die meedenkt.”',
  '{who} reageert nuchter. “Het is een begin. De echte vragen krijgen we volgend jaar op ons bord.”',
  'Dat zorgt volgens {who} ook voor zorgen: “Niet iedereen in de straat zit hierop te wachten, en dat snap ik best.”',
  '“Mijn telefoon staat sinds vanochtend roodgloeiend”, lacht {who}. “Zelfs mijn oude schooljuf heeft gebeld.”',
  'Een woordvoerder, {who}, wil nog niet vooruitlopen op de uitkomst, maar noemt de signalen bemoedigend.',
  '“Vraag het mij over vijf jaar nog eens”, zegt {who}. “Dan weten we pas of dit verstandig was.”',
  'Bij de koffieautomaat is het volgens {who} het gesprek van de dag, en meestal zijn de reacties positief.',
  '{who} wijst op de keerzijde: zonder extra geld blijft er van de plannen weinig over.',
  '“Je moet er wel een beetje gek voor zijn”, geeft {who} toe, terwijl hij zijn handen aan een doek afveegt.',
  'Voor {who} betekent het vooral rust. “Eindelijk weten we waar we aan toe zijn.”',
  '“Dit had tien jaar eerder moeten gebeuren”, vindt {who}, zelf jarenlang bestuurslid in de streek.',
]

const englishQuotes = [
  '“Nobody told us it could not be done,” says {who}, who kept the minutes throughout, “so we simply carried on.”',
  '{who} is more cautious, pointing out that enthusiasm tends to fade once the weather turns.',
  '“My mother would have laughed,” {who} adds. “She always said this place was stubborn.”',
  'According to {who}, the telephone has hardly stopped ringing since the news came out.',
  '“Come back in a year and ask me again,” says {who}, only half joking.',
  'For {who} the numbers matter less than the mood: “People are talking to each other in the queue.”',
  '{who} had expected more resistance. “In the end it was the paperwork that nearly finished us.”',
  '“It is a small thing,” concedes {who}, “but small things are what we are good at.”',
]

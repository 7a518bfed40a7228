import type { Story } from '../types.ts'

/** Reads the story files: `# section | title`, the lead on the next line, then one sentence a line. */
export function parseStories(text: string): Story[] {
  return text
    .split(/^# /m)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const [head = '', lead = '', ...sentences] = block.trim().split('\n')
      const [section = '', title = ''] = head.split(' | ')
      return { section, title, lead, sentences }
    })
}

// Same question, other pages: title and date are asked for as well.
export { answer } from './article-aeb.ts'

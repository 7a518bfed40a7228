export { answer } from './dates.ts'

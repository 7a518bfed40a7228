export { parsePage } from './parse-page.ts'
export { surveyPage } from './survey-page.ts'

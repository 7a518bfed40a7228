import { parsePage } from './parse-page.ts'

export default parsePage

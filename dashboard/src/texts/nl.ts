import { en, type Texts } from './en.ts'

export const nl: Texts = en

export { decodeBody, detectCharset } from './detect.ts'
export { declaredCharset } from './declared.ts'

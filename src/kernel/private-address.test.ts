import { describe, expect, test } from 'vitest'
import { isPrivateAddress, privateUrlReason } from './private-address.ts'

describe('nobody crawls into the house', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost:8060/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://10.0.0.8/',
    'http://172.20.1.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://metadata.google.internal/',
    'http://intranet/',
    'http://printer.local/',
    'http://localhost./',
    'ftp://example.org/',
    'http://user:pw@example.org/',
  ])('%s is refused', (url) => {
    expect(privateUrlReason(url)).not.toBeNull()
  })

  test.each(['https://example.org/agenda', 'http://8.8.8.8/', 'http://[2606:4700::1111]/'])(
    '%s is fine',
    (url) => {
      expect(privateUrlReason(url)).toBeNull()
    },
  )

  test('what is not an address is not trusted', () => {
    expect(isPrivateAddress('not-an-address')).toBe(true)
  })
})

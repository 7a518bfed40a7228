import { stringify, uneval } from 'devalue'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorClock } from '../../../test/harness/processor-clock.ts'
import { openPage } from '../page.ts'
import { readHydration } from './read-hydration.ts'

const read = (body: string) =>
  readHydration(
    openPage({ url: 'https://site.test/', body, contentType: 'text/html', fetchedAt: new Date(0) }),
  )
const script = (code: string) => `<script>${code}</script>`
const first = (body: string) => read(body)[0]

describe('state of each framework', () => {
  test('Next.js pages', () => {
    expect(
      first('<script id="__NEXT_DATA__" type="application/json">{"props":{"a":"x"}}</script>'),
    ).toEqual({
      framework: 'next',
      path: '__NEXT_DATA__',
      data: { props: { a: 'x' } },
    })
  })

  test('Next.js flight data, cut anywhere, with texts counted in bytes', () => {
    const stream =
      '1:"$Sreact"\n2:{"title":"Café","body":"$3","when":"$D2026-01-02T03:04:05.000Z","price":"$$5"}\n3:T8,naïve €x4:["end"]\n'
    const length = Buffer.byteLength('naïve €x').toString(16)
    const text = stream.replace('T8', `T${length}`)
    const pushes = [text.slice(0, 21), text.slice(21, 60), text.slice(60)].map((part) =>
      script(`self.__next_f.push([1,${JSON.stringify(part)}])`),
    )
    const state = first(
      `${script('(self.__next_f=self.__next_f||[]).push([0])')}${pushes.join('')}`,
    )
    expect(state?.framework).toBe('next-flight')
    expect(state?.data).toMatchObject({
      2: { title: 'Café', body: 'naïve €x', when: '2026-01-02T03:04:05.000Z', price: '$5' },
      3: 'naïve €x',
      4: ['end'],
    })
  })

  test('Nuxt 2, written as a call', () => {
    const state = first(
      script(
        'window.__NUXT__=(function(a,b,c){c.x=a;return {data:[{title:a,ok:b,list:Array(2),c}],at:new Date(0)}}("Title",!0,{}));',
      ),
    )
    expect(state?.framework).toBe('nuxt')
    expect(state?.data).toEqual({
      data: [{ title: 'Title', ok: true, list: [null, null], c: { x: 'Title' } }],
      at: '1970-01-01T00:00:00.000Z',
    })
  })

  test('Nuxt 3, with types nobody announced', () => {
    const flat =
      '[["ShallowReactive",1],{"data":2,"state":3},{"a":4},["Own",5],"x",{"when":6,"set":7,"ref":8},["Date","2026-01-01T00:00:00.000Z"],["Set",4],["EmptyRef",9],"false"]'
    expect(
      first(`<script type="application/json" id="__NUXT_DATA__">${flat}</script>`)?.data,
    ).toEqual({
      data: { a: 'x' },
      state: { when: '2026-01-01T00:00:00.000Z', set: ['x'], ref: false },
    })
  })

  test('window state as object, as JSON text, encoded, and through brackets', () => {
    const states = read(
      [
        script('window.__INITIAL_STATE__ = {"events":[{"a":"1"}]};'),
        script('window["__APOLLO_STATE__"] = {ROOT_QUERY: {x: "2", y: void 0}}; window.other = 1'),
        script(`window.__PRELOADED_STATE__ = JSON.parse("{\\"a\\":{\\"b\\":\\"3\\"}}")`),
        script(`var __DATA__ = "${encodeURIComponent('{"a":{"b":"4"}}')}"; `),
        script('Static.SQUARESPACE_CONTEXT = {"website":{"title":"5"}};'),
      ].join(''),
    )
    expect(states.map(({ framework, path, data }) => [framework, path, data])).toEqual([
      ['redux', '__INITIAL_STATE__', { events: [{ a: '1' }] }],
      ['apollo', '__APOLLO_STATE__', { ROOT_QUERY: { x: '2', y: null } }],
      ['redux', '__PRELOADED_STATE__', { a: { b: '3' } }],
      ['global', '__DATA__', { a: { b: '4' } }],
      ['squarespace', 'Static', { SQUARESPACE_CONTEXT: { website: { title: '5' } } }],
    ])
  })

  test('SvelteKit: fetched responses and the data given to start', () => {
    const states =
      read(`<script type="application/json" data-sveltekit-fetched data-url="/api">{"status":200,"statusText":"","headers":{},"body":"{\\"items\\":[{\\"a\\":1}]}"}</script>
      <script>{ __sveltekit_1abc = { base: "" }; const element = document.currentScript.parentElement;
      Promise.all([import("./start.js"), import("./app.js")]).then(([kit, app]) => { kit.start(app, element, { node_ids: [0, 2], data: [null,{type:"data",data:{events:[{title:"Talk"}]},uses:{}}], form: null }); }); }</script>`)
    expect(states.find((state) => state.framework === 'sveltekit')?.data).toEqual({
      items: [{ a: 1 }],
    })
    expect(JSON.stringify(states)).toContain('"title":"Talk"')
  })

  test('React Router streams', () => {
    const flat = [
      { _1: 2 },
      'loaderData',
      { _3: 4 },
      'events',
      [5],
      { _6: 7, _8: 9 },
      'title',
      'Talk',
      'start',
      ['D', 0],
    ]
    const [state, stream] = read(
      [
        script(
          'window.__reactRouterContext = {"basename":"/"};window.__reactRouterContext.stream = new ReadableStream({start(c){window.__reactRouterContext.streamController = c;}}).pipeThrough(new TextEncoderStream());',
        ),
        script(
          `window.__reactRouterContext.streamController.enqueue(${JSON.stringify(`${JSON.stringify(flat)}\n`)});`,
        ),
      ].join(''),
    )
    expect(state?.framework).toBe('react-router')
    expect(stream?.data).toEqual({
      loaderData: { events: [{ title: 'Talk', start: '1970-01-01T00:00:00.000Z' }] },
    })
  })

  test('Astro islands and other attributes', () => {
    const props = JSON.stringify({
      events: [1, [[0, { title: [0, 'Talk'], at: [3, '2026-01-01T00:00:00.000Z'] }]]],
    }).replaceAll('"', '&quot;')
    const states = read(
      `<astro-island props="${props}"></astro-island><div id=app data-page="{&quot;props&quot;:{&quot;title&quot;:&quot;A long enough text&quot;}}">`,
    )
    expect(states[0]).toMatchObject({
      framework: 'astro',
      data: { events: [{ title: 'Talk', at: '2026-01-01T00:00:00.000Z' }] },
    })
    expect(states[1]).toMatchObject({
      path: 'div[data-page]',
      data: { props: { title: 'A long enough text' } },
    })
  })

  test('Wix and other JSON scripts', () => {
    expect(
      first('<script type="application/json" id="wix-warmup-data">{"a":{"b":1}}</script>')
        ?.framework,
    ).toBe('wix')
    expect(first('<script type="application/json">{"a":{"b":1}}</script>')?.data).toEqual({
      a: { b: 1 },
    })
  })

  test('options given to a widget', () => {
    expect(
      first(
        script(
          '$(function(){ $("#cal").fullCalendar({ events: [{title: "Talk", start: "2026-01-01"}] }); });',
        ),
      )?.data,
    ).toEqual({
      events: [{ title: 'Talk', start: '2026-01-01' }],
    })
  })

  test('scripts that are no valid JavaScript', () => {
    expect(
      first(script('window.__DATA__ = {"a":{"b":"with } in it"}}; {% if x %} broken ((('))?.data,
    ).toEqual({ a: { b: 'with } in it' } })
  })
})

test('what devalue writes is read back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ noUnicodeString: false }), { minLength: 1, maxLength: 4 }),
      (list) => {
        const value = { list: clean(list), twice: [list.length, list.length] }
        expect(
          first(
            `<script type="application/json" id="__NUXT_DATA__">${stringify(value).replaceAll('<', '\\u003C')}</script>`,
          )?.data,
        ).toEqual(value)
        expect(read(script(`window.__STATE_OF_PAGE__ = ${uneval(value)}`))[0]?.data).toEqual(value)
      },
    ),
    { numRuns: 150, seed: 2 },
  )
})

/** Keys that objects of ours never carry, and the zero JSON cannot tell from the other. */
function clean(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll('__proto__', 'proto')
      .replaceAll('constructor', 'c')
      .replaceAll('prototype', 'p')
      .replaceAll('-0', '0'),
  )
}

describe('hostile scripts end in bounded time', () => {
  test.each([
    ['doubling texts', `var a="xxxxxxxxxxxxxxxx";${'a=a+a;'.repeat(200)}window.s={a:a}`],
    ['doubling lists', `var a=[1,{}];${'a=[...a,...a];'.repeat(60)}window.s={a:a}`],
    ['shared lists', `var a=[{}];${'a=[a,a];'.repeat(60)}window.s={a:a}`],
    ['endless recursion', 'function f(x){return f({x:x})+f([x])}window.s={a:f({})}'],
    [
      'callbacks calling back',
      `function f(g){x(function(){f(g)});x(function(){f(g)})}window.s={a:f({b:1})}`,
    ],
    ['deep brackets', `window.s=${'['.repeat(100_000)}`],
    ['deep parentheses', `window.s=(${'('.repeat(100_000)}{})`],
    ['huge arrays', 'window.s={a:Array(1e9),b:[Array(1e9),Array(1e9)]}'],
    ['spaces', `window.s = {a:${' '.repeat(1_000_000)}`],
    ['assignments', 'a={};'.repeat(100_000)],
    ['half assignments', 'a = {'.repeat(100_000)],
  ])('%s', (_, code) => {
    const spent = processorClock()
    read(script(code))
    expect(spent()).toBeLessThan(8_000)
  })

  test('prototypes stay untouched', () => {
    read(
      script(
        'window.a={"__proto__":{"bad":1}}; window.b={}; window.b.__proto__.bad=1; window.b.constructor.prototype.bad=1; Object.assign({}, {}).bad = 2',
      ),
    )
    expect(({} as Record<string, unknown>)['bad']).toBeUndefined()
  })

  test('any code is read without throwing', () => {
    const piece = fc.constantFrom(
      'window.',
      'a',
      '=',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      'function(b)',
      'return ',
      '"x"',
      ':',
      ',',
      ';',
      '=>',
      'new Date',
      '...',
      'JSON.parse',
      '.push',
      '`${a}`',
      '1',
      '||',
      '?',
      'self.__next_f',
      'Object.assign',
      'if(a)',
      'var ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 10, maxLength: 60 }), (pieces) => {
        expect(
          read(script(`window.state_of_page={a:"${'x'.repeat(40)}"};${pieces.join('')}`)),
        ).toBeInstanceOf(Array)
      }),
      { numRuns: 500, seed: 9 },
    )
  })
})

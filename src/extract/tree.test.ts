import { isTag, isText, type AnyNode } from 'domhandler'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { PageTooComplex, parseTree } from './tree.ts'

const pieces = [
  '<p>',
  '</p>',
  '<P Class="a" class=b>',
  '<div id=x data-a="1 &amp; 2">',
  '</div>',
  '<ul><li>a<li>b',
  '</ul>',
  '<table><thead><tr><th>h<td>1',
  '<tbody><tr>',
  '</table>',
  '<h1>t',
  '</h1>',
  '<form action=/a>',
  '</form>',
  '<select><option>1<option selected>2',
  '<input value=x>',
  '<dl><dt>a<dd>b',
  '<a href="/1?a=b&amp;c">',
  '</a>',
  '<br>',
  '</br>',
  '<img src=x />',
  '<image src=y>',
  '<svg viewBox="0 0 1 1"><path d="M0"/>',
  '<title>a &lt; <b></title>',
  '<foreignobject><p>in',
  '</foreignobject>',
  '</svg>',
  '<math><mi>x</mi></math>',
  '<!-- <p> -->',
  '<!doctype html>',
  '</ bogus>',
  '<script>"<p>"</script>',
  '<style>p{}</style>',
  '<textarea> <b>&amp;</textarea>',
  '<iframe><p></iframe>',
  '<body>',
  'text &eacute; & more',
  '  \n ',
  '<',
]

test('the tree is the one of htmlparser2, whatever is left open or closed twice', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (list) => {
      const html = list.join('')
      const tree = parseTree(html)
      if (tree instanceof PageTooComplex) throw tree
      expect(outline(tree)).toEqual(outline(parseDocument(html)))
    }),
    { numRuns: 1_000, seed: 7 },
  )
})

/** Elements with their attributes, and texts without their blanks; what a tree leaves out on purpose is left out here. */
function outline(node: AnyNode): unknown[] {
  if (!('children' in node) || (isTag(node) && (node.name === 'script' || node.name === 'style')))
    return []
  const out: unknown[] = []
  for (const child of node.children) {
    if (isText(child)) {
      const text = child.data.replaceAll(/\s+/g, '')
      const last = out.at(-1)
      if (text !== '' && typeof last === 'string') out[out.length - 1] = last + text
      else if (text !== '') out.push(text)
    } else if (isTag(child))
      // Names of SVG in capitals are of no use to anybody here.
      out.push([child.name.toLowerCase(), child.attribs, outline(child)])
  }
  return out
}

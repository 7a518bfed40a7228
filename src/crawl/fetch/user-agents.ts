// What the crawler calls itself, and the browsers it may take turns as.

const chromes = ['137.0.0.0', '138.0.0.0', '139.0.0.0', '140.0.0.0']
const systems = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
]
const firefoxes = ['140.0', '141.0', '142.0']

const browsers: readonly string[] = [
  ...chromes.flatMap((version) =>
    systems.map(
      (system) =>
        `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`,
    ),
  ),
  ...firefoxes.flatMap((version) =>
    systems.map(
      (system) => `Mozilla/5.0 (${system}; rv:${version}) Gecko/20100101 Firefox/${version}`,
    ),
  ),
]

/** Our own name with its contact URL, or with rotation one browser after the other. */
export function createUserAgents(options: { userAgent: string; rotate: boolean }): () => string {
  if (!options.rotate) return () => options.userAgent
  let next = 0
  return () => browsers[next++ % browsers.length] ?? options.userAgent
}

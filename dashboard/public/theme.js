// Runs before the first paint so a dark page never flashes white; a file, because the
// content security policy refuses inline scripts.
;(() => {
  let choice = 'system'
  try {
    choice = JSON.parse(localStorage.getItem('millrace.preferences') ?? '{}').theme ?? 'system'
  } catch {
    // A broken preference is no reason to stay blank.
  }
  const dark =
    choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()

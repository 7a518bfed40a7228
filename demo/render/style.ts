/** One small stylesheet for all sites, coloured by the site's accent. */
export function stylesheet(accent: string): string {
  return `:root{--accent:${accent};--ink:#1d1f24;--soft:#5d6470;--line:#dfe3e8;--paper:#fff;--wash:#f5f6f8}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--wash)}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{text-decoration-thickness:2px}
img{max-width:100%;height:auto;display:block}
h1,h2,h3{line-height:1.2;margin:0 0 .5em}
h1{font-size:clamp(1.6rem,4vw,2.4rem)}
h2{font-size:1.35rem}
h3{font-size:1.1rem}
p{margin:0 0 1em;max-width:68ch}
.wrap{max-width:1120px;margin:0 auto;padding:0 20px}
.skip-link{position:absolute;left:-9999px}
.skip-link:focus{left:8px;top:8px;background:#fff;padding:8px;z-index:10}
.site-header{background:var(--accent);color:#fff;padding:18px 0 0}
.site-header a{color:#fff;text-decoration:none}
.logo{display:inline-flex;gap:10px;align-items:center;font-size:1.5rem;font-weight:700}
.logo img{border-radius:8px}
.tagline{margin:.2em 0 .8em;opacity:.85;font-size:.95rem}
.site-nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:0;padding:10px 0;border-top:1px solid rgb(255 255 255/.25)}
.site-nav a:hover{text-decoration:underline}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:32px;padding-top:28px;padding-bottom:40px}
@media(min-width:860px){.columns:has(.sidebar){grid-template-columns:minmax(0,1fr) 300px}}
main{background:var(--paper);padding:24px;border-radius:10px;box-shadow:0 1px 2px rgb(0 0 0/.06)}
.sidebar section{background:var(--paper);padding:16px;border-radius:10px;margin-bottom:20px;box-shadow:0 1px 2px rgb(0 0 0/.06)}
.card{display:grid;grid-template-columns:160px 1fr;gap:16px;padding:16px 0;border-bottom:1px solid var(--line)}
.card img{border-radius:6px;aspect-ratio:16/9;object-fit:cover}
@media(max-width:560px){.card{grid-template-columns:1fr}}
.meta,.small,time{color:var(--soft);font-size:.9rem}
.label{display:inline-block;background:var(--accent);color:#fff;border-radius:4px;padding:0 8px;font-size:.8rem}
.label.cancelled{background:#b3261e}
.lead{font-size:1.15rem;font-weight:600}
.pagination{display:flex;gap:8px;list-style:none;padding:16px 0 0;margin:0}
.pagination a,.pagination span{display:inline-block;padding:4px 12px;border:1px solid var(--line);border-radius:6px;text-decoration:none}
.pagination [aria-current]{background:var(--accent);color:#fff}
.ad{background:repeating-linear-gradient(45deg,#eee,#eee 8px,#f7f7f7 8px,#f7f7f7 16px);border:1px dashed #bbb;padding:18px;text-align:center;margin:20px 0;color:#777}
.related{margin-top:28px;border-top:3px solid var(--accent);padding-top:14px}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:6px 18px;margin:0 0 20px}
dl.facts dt{font-weight:600}
dl.facts dd{margin:0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:8px;border-bottom:1px solid var(--line)}
.button{display:inline-block;background:var(--accent);color:#fff;padding:8px 18px;border-radius:6px;text-decoration:none}
.site-footer{background:#22252b;color:#d9dce1;padding:30px 0 16px;margin-top:20px}
.site-footer a{color:#fff}
.site-footer h2{font-size:1rem}
.site-footer input{padding:6px;border-radius:4px;border:1px solid #666}
.footer-grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:28px}
.cookie-bar{position:fixed;bottom:0;left:0;right:0;background:#fff;box-shadow:0 -2px 12px rgb(0 0 0/.2);padding:12px 20px}`
}

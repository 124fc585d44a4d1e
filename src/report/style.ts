/** The report's look: calm, for a phone and a desk, light and dark, and on paper. No font or image is fetched. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #f6f4ee; --paper: #fffefb; --ink: #23272f; --soft: #646b77; --line: #e2ddd1;
	--wash: #efebe1; --good: #1c7a4c; --hold: #8a5b10; --a0: #34618f; --a1: #2b7d73; --a2: #7b5594; --star: #b07a12; }
@media (prefers-color-scheme: dark) { :root { --bg: #14161a; --paper: #1b1e24; --ink: #e4e1da; --soft: #9ba2ad;
	--line: #2e333b; --wash: #23272e; --good: #70c99b; --hold: #d9aa5e; --a0: #86b3e2; --a1: #6fc7b8; --a2: #c39bdd; --star: #e2b04f; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.25rem 5rem; background: var(--bg); color: var(--ink);
	font: 16px/1.65 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "PingFang SC", "Hiragino Sans GB",
	"Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 3.2rem 0 .8rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; } a { color: var(--a0); }
.lead { max-width: 46rem; } .soft, .time { color: var(--soft); } .small { font-size: .87rem; }
.panel { background: var(--paper); border: 1px solid var(--line); border-radius: .7rem; padding: 1rem 1.2rem; margin: 1rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; padding-bottom: .5rem; font-size: .92rem; color: var(--soft); }
.about { color: var(--soft); font-size: .87rem; margin: 0 0 .7rem; max-width: 56rem; }
th, td { text-align: left; padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-weight: 600; color: var(--soft); font-size: .8rem; line-height: 1.35; vertical-align: bottom; } thead .n { white-space: normal; }
thead .over { border-bottom-color: var(--soft); text-align: center; font-weight: 400; }
tbody th { font-weight: 600; font-size: .92rem; padding-top: .8rem; } tr > :last-child { padding-right: 0; }
tbody tr:last-child > * { border-bottom: 0; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .n i { color: var(--soft); font-style: normal; }
.a0 { --arm: var(--a0); } .a1 { --arm: var(--a1); } .a2 { --arm: var(--a2); }
.name { color: var(--arm); font-weight: 650; white-space: nowrap; }
.two { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
.two > * { min-width: 0; margin: 0; }
.funnel td { padding: .22rem .8rem .22rem 0; border: 0; } .funnel td:first-child { white-space: nowrap; width: 8.5rem; }
.funnel .track { width: 60%; padding-right: .6rem; } .track div { height: .8rem; border-radius: .25rem; background: var(--arm);
	opacity: .85; min-width: 2px; margin-top: .42rem; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; margin: 1.2rem 0 0; }
details > summary { cursor: pointer; list-style: none; } summary::-webkit-details-marker { display: none; }
summary::before { content: "▸"; display: inline-block; width: 1.15em; color: var(--soft); font-weight: 400; }
details[open] > summary::before { content: "▾"; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--a0); outline-offset: 2px; border-radius: .2rem; }
.kind { margin: 1.2rem 0; } .kind > summary { font-weight: 650; font-size: 1.05rem; padding: .3rem 0; }
.kind > summary span { font-weight: 400; color: var(--soft); font-size: .87rem; }
.day { border-top: 1px solid var(--line); } .day > summary { padding: .55rem 0; } .day[open] > summary { font-weight: 600; }
.day > summary span { color: var(--soft); font-weight: 400; font-size: .87rem; white-space: nowrap; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: .7rem; padding: 1rem 1.2rem 1.1rem; margin: .4rem 0 1.2rem; }
.meta { color: var(--soft); font-size: .8rem; margin: 0; overflow-wrap: anywhere; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.14rem; font-weight: 500; line-height: 1.5; margin: .25rem 0 .8rem; }
.gold { background: var(--wash); border-radius: .5rem; padding: .55rem .8rem; margin: 0 0 .9rem; font-size: .9rem; }
.gold p { margin: 0; } .gold ul { margin: .35rem 0 0; padding: 0; list-style: none; } .gold li { margin: .35rem 0 0; }
.fate { display: inline-block; font-size: .8rem; margin-right: .9rem; } .fate b { color: var(--arm); font-weight: 650; }
.arm { border-top: 3px solid var(--arm); padding-top: .5rem; }
.pill { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; line-height: 1.6; border: 1px solid; margin-left: .35rem; white-space: nowrap; }
.delivered { color: var(--good); } .rejected, .missed { color: var(--hold); } .not_judged { color: var(--soft); }
.why { color: var(--soft); font-size: .85rem; margin: .1rem 0 .4rem; }
.card { margin: .7rem 0 0; } .card h4 { font-size: .92rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
blockquote { margin: .45rem 0 0; padding: .05rem 0 .05rem .75rem; border-left: 2px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .95rem; line-height: 1.55; }
blockquote.help { border-left-color: var(--star); } cite { display: block; font-style: normal; font-size: .74rem; color: var(--soft); white-space: normal; }
cite b { color: var(--star); font-weight: 600; } .gap { color: var(--soft); margin: .3rem 0 0 .75rem; line-height: 1; }
.held { margin-top: .9rem; font-size: .88rem; } .held > summary { color: var(--soft); } .held blockquote { font-size: .9rem; }
footer { margin-top: 4rem; color: var(--soft); font-size: .85rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 40rem) { body { padding: 1.4rem .9rem 4rem; } h1 { font-size: 1.5rem; } article, .panel { padding: .8rem .9rem; }
	th, td { padding-right: .7rem; } }
@media print { body { max-width: none; padding: 0; background: none; font-size: 10.5pt; } article, .panel { background: none; break-inside: auto; }
	h2, h3, h4, .meta, .said { break-after: avoid; } blockquote { break-inside: avoid; } nav { display: none; } }
`;

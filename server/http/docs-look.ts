// How the API reference looks, and its only script: it searches, copies examples and marks where one is.
import { hash } from 'node:crypto';

/** The policy of the page lets this script through, by its hash, and no other. */
export const script = `(()=>{
const field=document.getElementById('search'),none=document.getElementById('none'),menu=document.getElementById('menu'),groups=[...document.querySelectorAll('nav details')];
const linkOf=new Map([...document.querySelectorAll('nav a')].map(link=>[link.hash.slice(1),link]));
let parts;
const wordsOf=part=>part.matches('.chapter')?[...part.querySelectorAll('h3,h4,p,td:first-child')].map(one=>one.textContent).join(' '):part.textContent;
const texts=()=>parts??=[...document.querySelectorAll('[data-part]')].map(part=>[part,wordsOf(part).toLowerCase()]);
const look=()=>{
const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean);let count=0;
for(const [part,text] of texts()){const gone=!words.every(word=>text.includes(word));part.hidden=gone;if(!gone)count++;const link=linkOf.get(part.id);if(link)link.hidden=gone}
for(const group of groups){group.hidden=!group.querySelector('a:not([hidden])');group.open=words.length>0||group.contains(document.querySelector('nav a[aria-current]'))}
for(const tag of document.querySelectorAll('main>section'))tag.hidden=!tag.querySelector('[data-part]:not([hidden])');
none.hidden=count>0;document.body.classList.toggle('searching',words.length>0)};
field.hidden=false;field.addEventListener('input',look);
addEventListener('keydown',event=>{if(event.key==='/'&&document.activeElement!==field){event.preventDefault();field.focus()}});
const mark=()=>{for(const link of linkOf.values())link.removeAttribute('aria-current');const link=location.hash===''?undefined:linkOf.get(location.hash.slice(1));if(link){link.setAttribute('aria-current','true');const group=link.closest('details');if(group)group.open=true}};
addEventListener('hashchange',mark);mark();
document.querySelector('nav').addEventListener('click',event=>{if(event.target.closest('a')&&innerWidth<800)menu.checked=false});
if(navigator.clipboard)for(const block of document.querySelectorAll('pre')){const button=document.createElement('button');button.type='button';button.textContent='Copy';button.className='copy';button.addEventListener('click',async()=>{await navigator.clipboard.writeText(block.firstElementChild.textContent);button.textContent='Copied';setTimeout(()=>button.textContent='Copy',2000)});block.before(button)}
})()`;

export const docsPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', script, 'base64')}'; base-uri 'none'; form-action 'none'`;

/** The colours of the app. */
export const style = `
:root{color-scheme:light dark;--canvas:#f6f5f2;--surface:#fff;--sunken:#efede8;--line:#e4e1da;--ink:#1d1c1a;--soft:#55514b;--accent:#0b7261;--accent-soft:#e2f1ed;--get:#1a5f9e;--post:#15703a;--put:#8a5300;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--canvas:#121312;--surface:#191b1a;--sunken:#0d0e0d;--line:#2b2e2c;--ink:#edecea;--soft:#bab8b3;--accent:#4fc2a9;--accent-soft:#17322c;--get:#7cb7ea;--post:#6cc98d;--put:#f0b866;--delete:#ff8a80}}
*{box-sizing:border-box}[hidden]{display:none!important}
html{scroll-padding-top:4.5rem}
body{font:15px/1.55 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif;margin:0;color:var(--ink);background:var(--canvas)}
a{color:var(--accent);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:1rem;height:3.5rem;padding:0 1.25rem;background:var(--surface);border-bottom:1px solid var(--line)}
header b{font-size:1.05rem;white-space:nowrap}header a{margin-left:auto;white-space:nowrap;text-decoration:none}
#search{font:inherit;color:inherit;width:100%;max-width:26rem;padding:.35rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--canvas)}
.menu{display:none}#menu{position:absolute;opacity:0;pointer-events:none}
.page{display:grid;grid-template-columns:19rem minmax(0,1fr);max-width:100rem;margin:0 auto}
nav{position:sticky;top:3.5rem;height:calc(100vh - 3.5rem);overflow-y:auto;padding:1rem .75rem 3rem;border-right:1px solid var(--line)}
nav p{margin:.25rem .5rem;font-size:13px;color:var(--soft)}
nav summary{cursor:pointer;padding:.3rem .5rem;border-radius:.5rem;font-weight:700;list-style:none;display:flex;justify-content:space-between}
nav summary::-webkit-details-marker{display:none}nav summary span{font-weight:400;font-size:13px;color:var(--soft)}
nav summary:hover,nav a:hover{background:var(--sunken)}
nav a{display:flex;gap:.5rem;align-items:baseline;color:var(--soft);text-decoration:none;padding:.25rem .5rem;border-radius:.5rem;font-size:14px;overflow-wrap:anywhere}
nav a:hover,nav a[aria-current]{color:var(--ink)}nav a[aria-current]{background:var(--accent-soft)}
nav i{font:700 10px ui-monospace,monospace;min-width:2.6rem;text-align:right}
main{padding:1.5rem 2.5rem 8rem;min-width:0;max-width:64rem;display:flex;flex-direction:column}main>section{min-width:0}.searching #introduction{order:1}
h1{font-size:1.75rem;letter-spacing:-.01em;margin:.5rem 0 .25rem}h2{font-size:1.3rem;letter-spacing:-.01em;margin:2.5rem 0 1rem}
h3{font-size:1.05rem;margin:0 0 .5rem}h4{font-size:.9rem;margin:1rem 0 .35rem}p{margin:.5rem 0}.lead{color:var(--soft)}
article,.chapter{background:var(--surface);border:1px solid var(--line);border-radius:.875rem;padding:1.1rem 1.25rem;margin:0 0 1rem;min-width:0}
article:target,.chapter:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.place{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline;margin:0 0 .5rem;overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}p code,td code,h4 code{background:var(--sunken);padding:.05rem .3rem;border-radius:.3rem;overflow-wrap:anywhere}
pre{overflow-x:auto;background:var(--sunken);border:1px solid var(--line);padding:.7rem .9rem;border-radius:.625rem;margin:0}
.example{position:relative}.copy{position:absolute;top:.4rem;right:.4rem;font:inherit;font-size:12px;color:var(--soft);background:var(--surface);border:1px solid var(--line);border-radius:.4rem;padding:.05rem .5rem;cursor:pointer}.copy:hover{color:var(--ink)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;font-weight:700;color:var(--soft)}td,th{border-top:1px solid var(--line);padding:.4rem .75rem .4rem 0;vertical-align:top;min-width:6rem}
td p{margin:0}.fields td:nth-child(2){max-width:20rem}.fields td:nth-child(3){min-width:14rem}
td:first-child code{background:none;padding:0;white-space:nowrap}.required{font-size:11px;color:var(--accent);white-space:nowrap}
.method{font:700 12px ui-monospace,monospace;padding:.15rem .45rem;border-radius:.375rem;border:1px solid currentColor}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.event{border-top:1px solid var(--line);margin-top:.75rem}summary{cursor:pointer}
@media(max-width:799px){
header{padding:0 .75rem;gap:.6rem}header a{display:none}header b{display:none}
.menu{display:block;padding:.3rem .6rem;border:1px solid var(--line);border-radius:.5rem;cursor:pointer;white-space:nowrap}#menu:focus-visible~header .menu{outline:2px solid var(--accent)}
.page{display:block}nav{display:none;position:static;height:auto;border:0;border-bottom:1px solid var(--line);padding-bottom:1rem}#menu:checked~.page nav{display:block}
main{padding:1rem .75rem 5rem}article,.chapter{padding:.9rem}nav a{padding:.5rem}.fields,.fields tbody,.fields tr,.fields td{display:block;width:100%;min-width:0!important;max-width:none!important}.fields tr{border-top:1px solid var(--line);padding:.4rem 0}.fields td{border:0;padding:.05rem 0}}
@media print{header,nav,.copy{display:none}.page{display:block}}`;

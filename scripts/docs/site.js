// The theme, the list of pages on a phone, and the search. It asks nothing but the index beside it, and tells nobody anything.
(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem('docs-theme');
  } catch {}
  if (chosen === 'dark' || chosen === 'light') root.dataset.theme = chosen;

  const start = () => {
    const [menu, search, found, theme] = ['menu', 'search', 'found', 'theme'].map((id) => document.getElementById(id));
    menu.addEventListener('click', () => {
      const open = root.toggleAttribute('data-menu');
      menu.setAttribute('aria-expanded', String(open));
    });
    theme.addEventListener('click', () => {
      const dark = (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
      root.dataset.theme = dark ? 'light' : 'dark';
      try {
        localStorage.setItem('docs-theme', root.dataset.theme);
      } catch {}
    });
    document.querySelector('#pages [aria-current]')?.scrollIntoView({ block: 'nearest' });

    let index;
    const load = () =>
      (index ??= fetch('/docs/search.json')
        .then((answer) => answer.json())
        .then((entries) => entries.map((entry) => ({ ...entry, low: [entry.p, entry.h, entry.t].map((text) => text.toLowerCase()) })))
        .catch(() => {
          index = undefined;
          return [];
        }));

    /** All words have to be there; the title counts most, then the heading, then how often. Decisions come after guides. */
    const rank = ({ low: [page, heading, text], a }, words) => {
      let sum = a.startsWith('/docs/adr') || a.startsWith('/docs/changelog') ? 0 : 6;
      for (const word of words) {
        const points = (page.includes(word) ? 10 : 0) + (heading.includes(word) ? 14 : 0) + Math.min(4, text.split(word).length - 1);
        if (points === 0) return 0;
        sum += points;
      }
      return sum;
    };
    const around = (text, word) => {
      const before = text.lastIndexOf(' ', Math.max(0, text.toLowerCase().indexOf(word) - 50));
      const at = before + 1;
      const end = text.indexOf(' ', at + 140);
      return `${at > 0 ? '… ' : ''}${text.slice(at, end === -1 ? undefined : end)}${end === -1 ? '' : ' …'}`;
    };
    const marked = (text, words) => {
      const piece = document.createDocumentFragment();
      const form = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
      for (const [at, part] of text.split(form).entries()) {
        if (at % 2 === 0) piece.append(part);
        else piece.append(Object.assign(document.createElement('mark'), { textContent: part }));
      }
      return piece;
    };
    const close = () => {
      found.hidden = true;
      search.setAttribute('aria-expanded', 'false');
      search.removeAttribute('aria-activedescendant');
    };
    const show = async () => {
      const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
      if (words.length === 0) return close();
      const entries = await load();
      if (words.join(' ') !== search.value.toLowerCase().split(/\s+/).filter((word) => word !== '').join(' ')) return;
      const best = entries
        .map((entry) => ({ entry, points: rank(entry, words) }))
        .filter(({ points }) => points > 0)
        .sort((one, other) => other.points - one.points)
        .slice(0, 12);
      found.replaceChildren(
        ...best.map(({ entry }, at) => {
          const item = Object.assign(document.createElement('li'), { id: `found-${at}`, role: 'option' });
          const link = Object.assign(document.createElement('a'), { href: entry.a, tabIndex: -1 });
          const title = document.createElement('b');
          title.append(marked(entry.h === '' ? entry.p : `${entry.p} › ${entry.h}`, words));
          const text = document.createElement('span');
          text.append(marked(around(entry.t, words[0]), words));
          link.append(title, text);
          item.append(link);
          return item;
        }),
      );
      if (best.length === 0) found.append(Object.assign(document.createElement('li'), { className: 'none', textContent: 'Nothing was found' }));
      found.hidden = false;
      search.setAttribute('aria-expanded', 'true');
    };
    const move = (by) => {
      const items = [...found.querySelectorAll('[role=option]')];
      if (found.hidden || items.length === 0) return;
      const at = items.findIndex((item) => item.ariaSelected === 'true');
      const next = items[(at + by + items.length + (at === -1 && by < 0 ? 1 : 0)) % items.length];
      for (const item of items) item.ariaSelected = String(item === next);
      next.scrollIntoView({ block: 'nearest' });
      search.setAttribute('aria-activedescendant', next.id);
    };
    search.addEventListener('focus', load);
    search.addEventListener('input', show);
    search.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
      } else if (event.key === 'Enter') {
        (found.querySelector('[aria-selected=true] a') ?? found.querySelector('a'))?.click();
      } else if (event.key === 'Escape') close();
    });
    document.addEventListener('click', (event) => {
      if (!event.target.closest('.search')) close();
      if (event.target.closest('#pages a, #found a')) {
        root.removeAttribute('data-menu');
        close();
      }
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || /input|textarea|select/i.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      search.focus();
    });
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();

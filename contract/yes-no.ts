// Words for yes and no, as people and spreadsheets write them. Every way into a checkbox asks here: import, paste, typecast and conversion. What is neither is not guessed.

const words: readonly { language: string; yes: string; no: string }[] = [
  {
    language: 'any',
    yes: '1 x + ✓ ✔ ✔️ ☑ ☑️ ✅ 👍 🗹 on checked',
    no: '0 - – — ✗ ✘ ✕ × ❌ ☐ ☒ 👎 off unchecked null none n/a na',
  },
  { language: 'English', yes: 'true t yes y yep yeah', no: 'false f no n nope not' },
  { language: 'Spanish', yes: 'sí si s verdadero cierto', no: 'falso' },
  { language: 'French', yes: 'oui vrai', no: 'non faux' },
  { language: 'German', yes: 'ja j wahr', no: 'nein falsch' },
  { language: 'Portuguese', yes: 'sim verdadeiro', no: 'não nao' },
  { language: 'Italian', yes: 'sì vero', no: 'no falso' },
  { language: 'Dutch', yes: 'waar', no: 'nee onwaar' },
  { language: 'Polish', yes: 'tak prawda', no: 'nie fałsz' },
  { language: 'Russian', yes: 'да истина', no: 'нет ложь' },
  { language: 'Turkish', yes: 'evet doğru', no: 'hayır hayir yanlış yanliş' },
  { language: 'Swedish', yes: 'sant', no: 'nej falskt' },
  { language: 'Japanese', yes: 'はい 真 有 ○ 〇', no: 'いいえ 偽 無' },
  { language: 'Chinese', yes: '是 对 對 真', no: '否 不 假 错 錯' },
  { language: 'Korean', yes: '예 네 참', no: '아니요 아니오 거짓' },
];

const meanings = new Map(
  words.flatMap(({ yes, no }) => [
    ...yes.split(' ').map((word) => [word, true] as const),
    ...no.split(' ').map((word) => [word, false] as const),
  ]),
);

/** undefined: it is neither. Nothing is no. */
export const readYesNo = (text: string): boolean | undefined => {
  const word = text.trim().normalize('NFC').toLowerCase().replace(/[.!]$/, '');
  return word === '' ? false : meanings.get(word);
};

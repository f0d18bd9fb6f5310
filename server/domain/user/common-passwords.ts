// The passwords that are tried first everywhere. Most of them are a common word with a few digits after it, so the words stand
// here once; the rest are ways over the keyboard and rows of digits. Only what the rule (8 characters, a letter, a
// digit) lets through matters.
const words = new Set(
  `aaaaaa abc abcabc asd qwe zxc abcd abcde abcdef abcdefg abcdefgh access action admin administrator adobe alexander alexis amanda america andrea andrew
   angel angela angels anthony apples april arsenal asdf asdfg asdfgh asdfghjkl ashley asshole august austin autumn babygirl bailey banana
   barcelona baseball basketball batman beautiful benjamin bitch blahblah blessed blink brandon brittany buster butterfly changeme
   charlie cheese chelsea chicken chocolate chris christian christopher company computer cookie cooper corona corvette cowboys daniel danielle database
   december default diamond dolphin dragon eagles elephant elizabeth eminem europe everton facebook family february ferrari flower football forever france
   freedom friday friend friends fuckme fuckoff fuckyou gandalf garfield george germany gfhjkm ginger google guitar hannah happy harley heather
   hello hellohello hockey hottie hunter iloveu iloveyou india instagram internet iwantu jackson jasmine jennifer jessica jessie jesus johnny jonathan jordan
   joseph joshua july junior justin killer lakers letmein linkedin lincoln liverpool login london lovely loveme lover loveyou
   madison maggie manager manchester marina marlboro martin master matthew maverick mercedes merlin michael michelle microsoft midnight minecraft
   monday money monica monkey monster mother motorola mustang mypassword naruto natasha newpass newpassword newyork nicholas nicole nirvana nothing november october
   office orange parola pass passw passwd passwort password passpass patrick peanut pepper phoenix pikachu player please pokemon porsche
   princess private purple pussy qazwsx qazwsxedc qweasd qweasdzxc qweqwe qwer qwert qwerty qwertyu qwertyui qwertyuiop rachel rainbow
   ranger rangers robert root samantha samsung samuel saturday scooter secret security september server service sexy shadow shannon shopping silver
   simple slipknot snoopy soccer sophie spiderman spring star starwars steelers stephanie steven student summer sunday sunflower sunshine
   superman superstar support sweet sweety system taylor temp temporary tennis teste tester testing test testtest thomas thunder tigger tiger tinkerbell
   trustno twitter unknown user username vanessa victoria vincent wachtwoord warrior welcome whatever william willow windows winter wizard xbox yankees
   yamaha yellow youtube zaqwsx zxcv zxcvb zxcvbn zxcvbnm`.split(/\s+/),
);

const others = new Set(
  `1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 zaq1xsw2 qaz123wsx 2wsx3edc
   a1b2c3d4 a1b2c3d4e5 a123456b a12345678a aa123456aa aa12345678 abc123abc abc123def abcd1234abcd 123qwe123 123qwe123qwe 123qweasd 123qweasdzxc 12qwaszx
   qwe123qwe qwe123asd asd123asd zxc123zxc 1234qwer 12345qwert 123456qwerty qwer1234qwer q123456789 p455w0rd 1password1 111111aa 11111111a
   123456abc 12345abc 1234abcd 123456ab 1234567a 12345678a 123456789a 123456789q 123456789z 1234567890a 987654321a 0987654321a 88888888a 00000000a 111222333a
   147258369a 159753qq 11223344a 1122334455a a112233445566 password123456789 qwerty123456789 monkey1monkey 3rjs1la7qe g9l1d1oq2z 18atcskd2w 1g2w3e4r`.split(
    /\s+/,
  ),
);

/** How letters are commonly written as digits and signs. */
const plain: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** What follows a word, or stands before it, and makes it no harder to guess. */
const trimmed = (password: string): string => password.replace(/^[^\p{L}]{0,3}/u, '').replace(/[^\p{L}]{0,6}$/u, '');

export const isCommonPassword = (password: string): boolean => {
  const lower = password.toLowerCase();
  if (others.has(lower) || new Set(lower).size <= 2) return true;
  // A word and a few signs around it, also with digits for letters, also twice.
  const written = [lower, trimmed(lower)].map((text) => text.replace(/[013457@$!]/g, (sign) => plain[sign] as string));
  const forms = [trimmed(lower), ...written, ...written.map(trimmed)].map((text) => text.replace(/[^\p{L}]/gu, ''));
  return forms.some(
    (form) =>
      words.has(form) ||
      (words.has(form.slice(0, form.length / 2)) && form.slice(0, form.length / 2) === form.slice(form.length / 2)),
  );
};

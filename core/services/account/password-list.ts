/**
 * Passwords that attackers try first. The words are our own collection of what people use all over the world, and of what they call
 * things like this one; with the endings people put behind them they make the list.
 */
const words =
  'password passwort passwd pass parola senha motdepasse contrasena mima qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn ' +
  'zxcvbnm qazwsx qazwsxedc abc abcd abcde abcdef abcdefg admin administrator adminadmin root toor user username guest login welcome ' +
  'letmein changeme changeit secret default master access test testing tester testtest demo sample temp temppass server database oracle ' +
  'mysql postgres system support service manager office company private public security secure iloveyou ihateyou loveyou lovely love ' +
  'lover babygirl baby honey sweety sweetheart darling angel princess prince queen king monkey dragon tiger lion eagle falcon phoenix ' +
  'panther jaguar wolf bear horse pony dog doggy cat kitty kitten puppy buddy bunny rabbit turtle dolphin shark spider butterfly ' +
  'chicken sunshine sunflower flower rose lily daisy summer winter spring autumn january february march april monday tuesday friday ' +
  'sunday saturday december october november september football baseball basketball soccer hockey tennis cricket golf rugby volleyball ' +
  'liverpool arsenal chelsea barcelona realmadrid juventus manchester united yankees lakers cowboys steelers eagles packers dallas ' +
  'superman batman spiderman ironman hulk joker ninja samurai pirate warrior wizard merlin gandalf frodo starwars startrek skywalker ' +
  'yoda matrix pokemon pikachu naruto minecraft fortnite callofduty warcraft counterstrike nintendo playstation gamer player killer ' +
  'hunter ranger soldier marine police shadow ghost thunder lightning storm hurricane fire flame freedom liberty peace hope faith ' +
  'jesus christ blessed heaven hello helloworld hallo bonjour hola nihao whatever nothing something forever never always trustno ' +
  'michael michelle jennifer jessica ashley amanda nicole daniel andrew joshua matthew robert thomas william charlie george james ' +
  'richard david jordan taylor justin anthony patrick martin steven kevin brandon brian jason tyler austin alexander alexandra sophie ' +
  'sarah hannah samantha victoria elizabeth maria anna natasha olga sergey vladimir andrey jasmine maggie ginger pepper sammy bailey ' +
  'buster rocky tigger snoopy mickey donald garfield scooby cookie chocolate cheese banana orange apple cherry lemon strawberry ' +
  'coffee pizza burger hotdog candy sugar popcorn purple yellow silver golden diamond crystal ruby black white green blue red rainbow ' +
  'computer internet network laptop keyboard samsung google facebook linkedin microsoft windows android iphone apple twitter youtube ' +
  'instagram linux ubuntu debian github openai chatgpt claude gemini newapi oneapi gateway tollgate mustang ferrari porsche mercedes ' +
  'corvette camaro harley yamaha honda toyota nissan suzuki ducati kawasaki maverick america canada london paris berlin texas florida ' +
  'newyork california australia germany brasil mexico india china zhongguo beijing shanghai guangzhou shenzhen taiwan hongkong woaini ' +
  'woaiwojia aini wangyut baobao laopo laogong mama baba zhang wang chen liu yang dearbook qwe qwer asd zxc aaa aa a q z qaz wsx ' +
  'metallica nirvana slipknot linkinpark eminem rockstar guitar music dancer dance singer doctor nurse teacher student school college ' +
  'family friends mother father brother sister daddy mommy grandma money dollar million bitcoin lucky winner success champion';

const endings =
  ' 1 2 3 7 11 12 13 21 22 23 69 77 88 99 00 01 007 111 123 321 456 520 521 666 777 888 999 1234 4321 12345 123456 1234567 12345678 123456789 ' +
  '1314 520520 1990 1995 1999 2000 2010 2020 2021 2022 2023 2024 2025 2026 ! !! . .. @ # * @123 @1234 #123 #1 123! 1! 12! 1234! ' +
  '_123 -123 @2023 @2024 @2025 @2026 abc qwe asd';

/** Walks over the keyboard and sums of digits that no rule finds. */
const walks =
  '1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1xsw2 zaq1zaq1 xsw2zaq1 qwe123qwe 123qweasd qweasdzxc ' +
  '123qweasdzxc qwe123456 asd123456 qaz123456 q1w2e3r4 q1w2e3r4t5 a1b2c3d4 a1s2d3f4 1a2b3c4d 1234qwer qwer1234 1234asdf asdf1234 zxcv1234 1234abcd ' +
  'abcd1234 abc12345 abc123456 a123456a a1234567 a12345678 a123456789 aa123456 aa12345678 aaa111111 123abc456 123456abc 123456aa 12345qwert ' +
  'qwert12345 qwerty12 qwaszx12 qazxsw21 147258369 159357258 159753456 741852963 789456123 123789456 456789123 963852741 951753852 ' +
  '147852369 258369147 369258147 11223344 1122334455 112233445566 12344321 123454321 1234554321 12341234 123123123 123321123 ' +
  '12121212 13131313 10101010 20202020 31415926 314159265 27182818 19841984 20002000 5201314 52013145 52013140 5201314520 1314520 ' +
  '13145200 7758521 77585210 woaini520 woaini1314 iloveu520 trustno1 letmein1 passw0rd pa55word pa55w0rd p4ssword p4ssw0rd l3tm31n ' +
  'correcthorse correcthorsebatterystaple opensesame mypassword mypassw0rd newpassword yourpassword thepassword password1password ' +
  'qwertyqwerty asdfasdf zxcvzxcv asdfjkl jkl12345 poiuytrewq mnbvcxz mnbvcxzlkj lkjhgfdsa lkjhgfds 0987654321 09876543 987654321 87654321 ' +
  'ncc1701d bond0070 area51area rush2112 8675309 86753090 6969696969 4815162342 tollgate123 sk-password apikey123 token12345';

const splitWords = (text: string) => text.split(/\s+/).filter(Boolean);

let common: ReadonlySet<string> | undefined;

/** In lower case, as `usernameKey` writes them; some 20,000 that are long enough for a password. Made when the first password is chosen. */
export function commonPasswords(): ReadonlySet<string> {
  common ??= new Set([...withEndings(), ...splitWords(walks)].filter((password) => password.length >= 8));
  return common;
}

function withEndings(): string[] {
  const all = ['', ...splitWords(endings)];
  return splitWords(words).flatMap((word) => all.map((ending) => word + ending));
}

/** With digits or signs around them they are no better. */
export const commonWords: ReadonlySet<string> = new Set(splitWords(words).filter((word) => word.length >= 3));

import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, it } from 'vitest';
import { isEasyToGuess } from './password-strength.ts';

const STRANGER = { email: 'someone@mems.example', username: 'someone' };
const MIN_LENGTH = 6;
/** Of the list of leaked passwords, the most common first. */
const TOP = 2000;

/** Of the yearly lists of the most common passwords, and what people make of them to satisfy rules. */
const WELL_KNOWN = `
  123456 1234567 12345678 123456789 1234567890 0123456789 0987654321 987654321 87654321 7654321 654321
  111111 222222 333333 444444 555555 666666 777777 888888 999999 000000 1111111 11111111 00000000 88888888
  121212 112233 123123 123321 131313 101010 123123123 112233445566 147258 147258369 159357 159753 246810
  123654 456789 789456 789456123 741852963 963852741 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3 q1w2e3r4
  qwerty qwerty1 qwerty12 qwerty123 qwertyuiop qwertyui qwerty! QWERTY Qwerty123 qwertz qwertzuiop azerty azertyuiop
  asdfgh asdfghjkl asdf1234 asdfasdf asd123 zxcvbn zxcvbnm zxcvbnm123 qazwsx qazwsxedc 1234qwer qwer1234 wsxedc
  abc123 abcdef abcdefg abcdefgh abcd1234 abc123456 abcabc a1b2c3 aaaaaa aaa111 aaabbb aabbcc zzzzzz xxxxxx
  password password1 password12 password123 password! password1! Password Password1 Password123 PASSWORD passwort
  passw0rd Passw0rd Passw0rd! P@ssw0rd P@ssword p@ssw0rd1 pa55word pa$$word password!! drowssap passpass pass123 pass1234
  admin1 admin123 administrator root123 toor123 changeme default guest1 letmein letmein1 LetMeIn! welcome welcome1 Welcome1!
  welcome123 login123 master master1 secret secret1 secret123 access test123 testing test1234 temp123 user123 iloveyou
  iloveyou1 ILOVEYOU iloveu loveme lovely love123 sunshine sunshine1 princess princess1 dragon dragon1 monkey monkey1
  monkey123 football football1 baseball soccer basketball hockey superman superman1 batman spiderman starwars pokemon
  trustno1 whatever shadow shadow1 michael jordan23 jennifer jessica ashley nicole daniel thomas charlie charlie1 andrew
  matthew joshua robert george jordan harley ranger buster hunter hunter2 killer pepper ginger maggie cookie summer
  summer1 winter flower freedom computer internet samsung google facebook mustang corvette ferrari mercedes liverpool
  chelsea arsenal cheese banana chocolate butterfly purple orange silver golden diamond phoenix matrix tigger merlin
  blink182 19871987 1990 20202020 19901990 12341234 11223344 55555555 99999999 999999999 5201314 woaini 1234abcd
  fuckyou asshole biteme ninja123 azerty123 hello1 hello123 helloworld letmein123 nothing hottie lovers babygirl angel1
`
  .trim()
  .split(/\s+/)
  .filter((password) => password.length >= MIN_LENGTH);

const findAccepted = async (passwords: string[], person = STRANGER) => {
  const accepted = [];
  for (const password of passwords) if (!(await isEasyToGuess(password, person))) accepted.push(password);
  return accepted;
};

it('well-known passwords are easy to guess', async () => {
  expect(new Set(WELL_KNOWN).size).toBeGreaterThan(250);
  expect(await findAccepted(WELL_KNOWN)).toEqual([]);
});

it('leaked passwords are easy to guess, in capitals and with an exclamation mark, too', async () => {
  const leaked = dictionary['passwords-common'].map(String).filter(({ length }) => length >= MIN_LENGTH);
  const top = leaked.slice(0, TOP);
  expect(await findAccepted(top.flatMap((each) => [each, each.toUpperCase(), `${each}!`]))).toEqual([]);
});

it('the own names and address are easy to guess, however they are written', async () => {
  const person = {
    email: 'wilhelmina.quist@mems.example',
    username: 'quistpaws',
    firstName: 'Wilhelmina',
    lastName: 'Quistgaard',
  };
  const names = [
    'wilhelmina',
    'quistgaard',
    'quistpaws',
    'wilhelmina.quist',
    'wilhelmina.quist@mems.example',
  ];
  const variants = names.flatMap((name) => [
    name,
    name.toUpperCase(),
    `${name[0]?.toUpperCase()}${name.slice(1)}`,
    [...name].reverse().join(''),
    `${name}1`,
    `${name}12`,
    `${name}123`,
    `${name}!`,
    `1${name}`,
    name.replaceAll('i', '1').replaceAll('a', '4'),
    name.replaceAll('i', '!').replaceAll('a', '@'),
    name + name,
  ]);
  const together = ['WilhelminaQuistgaard', 'quistgaard.wilhelmina', 'Wilhelmina-Quistgaard1', 'Quist-12'];
  expect(await findAccepted([...variants, ...together], person)).toEqual([]);
});

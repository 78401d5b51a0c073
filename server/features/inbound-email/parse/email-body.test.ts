import { describe, expect, it } from 'vitest';
import { firstBodyLine } from './email-body.ts';

describe('firstBodyLine', () => {
  it.each([
    ['\r\n\r\nAt the beach\r\nand home again', 'At the beach'],
    ['> What did he do?\n> Tell me\n\nHe swam', 'He swam'],
    ['Sent from my iPhone\nHe swam', 'He swam'],
    ['🐕\n', '🐕'],
    ['***\nHe swam', 'He swam'],
    ['-- \nMara Dent\nDirector', ''],
    ['--\nMara Dent', ''],
    ['Von meinem iPhone gesendet', ''],
    ['Envoyé de mon iPhone', ''],
    ['Get Outlook for iOS', ''],
    ['-----Original Message-----\nFrom: Jo <jo@home.example>\nRex', ''],
    ['---------- Forwarded message ---------\nFrom: Jo <jo@home.example>\nRex', ''],
    ['Begin forwarded message:\n\nFrom: Jo', ''],
    ['From: Jo <jo@home.example>\nRex', ''],
    ['On Mon, 1 May 2026 at 10:00, Jo <jo@home.example> wrote:\n> Rex', ''],
    ['Am 01.05.2026 um 10:00 schrieb Jo:\n> Rex', ''],
    ['Le 1 mai 2026 à 10:00, Jo a écrit :\n> Rex', ''],
    // Short samples of the cases of https://github.com/crisp-oss/email-reply-parser and
    // https://github.com/crisp-oss/email-forward-parser (MIT).
    ['On Mon, May 1, 2026 at 10:00 AM Jo Longname\n<jo@home.example> wrote:\n> Rex', ''],
    ['On Monday, May 1, 2026 10:00 AM\nJo wrote:\n> Rex', ''],
    ['El lun, 1 may 2026, Jo <jo@home.example>\nescribió:\n> Rex', ''],
    ['Il giorno lun 1 mag 2026 alle ore 10:00 Jo <jo@home.example> ha scritto:', ''],
    ['In data 1 maggio 2026 10:00 Jo ha scritto:', ''],
    ['Em seg., 1 de mai. de 2026 às 10:00, Jo <jo@home.example> escreveu:', ''],
    ['Op ma 1 mei 2026 om 10:00 schreef Jo <jo@home.example>:', ''],
    ['Op 1 mei 2026 heeft Jo <jo@home.example> geschreven:', ''],
    ['Den mån 1 maj 2026 kl 10:00 skrev Jo <jo@home.example>:', ''],
    ['W dniu 1.05.2026 o 10:00, Jo pisze:', ''],
    ['Dnia 1 maja 2026 10:00 Jo <jo@home.example> napisał(a):', ''],
    ['Dne po 1. 5. 2026 Jo <jo@home.example> napsal(a):', ''],
    ['pe 1. toukok. 2026 klo 10.00 Jo <jo@home.example> kirjoitti:', ''],
    ['ср, 1 мая 2026 г. в 10:00, Jo <jo@home.example>:', ''],
    ['在 2026年5月1日，Jo <jo@home.example> 写道：', ''],
    ['2026년 5월 1일 (월) 오전 10:00, Jo <jo@home.example>님이 작성:', ''],
    ['2026/05/01 10:00、Joのメッセージ:', ''],
    ['2026-05-01 10:00 GMT+02:00 Jo <jo@home.example>:', ''],
    ['Jo <jo@home.example> schrieb:', ''],
    ['"Jo" <jo@home.example>, 1 May 2026 tarihinde şunu yazdı:', ''],
    ['1 May 2026 időpontban Jo ezt írta:', ''],
    ['From : Jo <jo@home.example>', ''],
    ['-------- Oprindelig besked --------', ''],
    ['-------- Weitergeleitete Nachricht --------', ''],
    ['-------- Mensaje reenviado --------', ''],
    ['-------- Messaggio Inoltrato --------', ''],
    ['----- Doorgestuurd bericht -----', ''],
    ['----- Przekazana wiadomość -----', ''],
    ['--- Treść przekazanej wiadomości ---', ''],
    ['-------- Välitetty viesti / Fwd.Msg --------', ''],
    ['--------- メッセージを転送 ---------', ''],
    ['Anfang der weitergeleiteten Nachricht:', ''],
    ['Début du message réexpédié :', ''],
    ['Inizio messaggio inoltrato:', ''],
    ['Début du message transféré :', ''],
    ['Vidarebefordrat mejl:', ''],
    ['Начало переадресованного сообщения:', ''],
    ['________________________________\nFrom: Jo <jo@home.example>', ''],
    ['Envoyé à partir de Outlook pour Android', ''],
    ['Télécharger Outlook pour iOS', ''],
    ['Verzonden vanaf Outlook voor Android', ''],
    // Gmail marks the direction of each name and address within text from right to left.
    [
      '\u202bבתאריך יום ו׳, 27 בנוב׳ 2026 ב-10:00 מאת \u202aJo\u202c\u200f <\u202ajo@home.example\u202c\u200f>:\u202c',
      '',
    ],
    [
      '\u202bفي الجمعة، 27 نوفمبر 2026 في 10:00 ص تمت كتابة ما يلي بواسطة \u202aJo\u202c\u200f <\u202ajo@home.example\u202c\u200f>:\u202c',
      '',
    ],
    ['\u202b> Rex\u202c\n\u2067רקס\u2069', '\u2067רקס\u2069'],
    ['пт, 27 лист. 2026 р. о 10:00 Jo <jo@home.example> пише:', ''],
    ['27.11.2026 10:00, Jo пише:', ''],
    ['În vin., 27 nov. 2026 la 10:00, Jo <jo@home.example> a scris:', ''],
    ['Pe 27.11.2026 10:00, Jo a scris:', ''],
    ['ในวันที่ ศ. 27 พ.ย. 2026 เวลา 10:00 น. Jo <jo@home.example> เขียนว่า:', ''],
    ['เมื่อ 27/11/2026 10:00, Jo เขียน:', ''],
    ['Vào Th 6, 27 thg 11, 2026 vào lúc 10:00 Jo <jo@home.example> đã viết:', ''],
    ['Vào 27/11/2026 10:00, Jo đã viết:', ''],
    ['Pada tanggal Jum, 27 Nov 2026 pukul 10.00 Jo <jo@home.example> menulis:', ''],
    ['Pada 27/11/2026 10.00, Jo menulis:', ''],
    ['Missatge de Jo <jo@home.example> del dia dv., 27 de nov. 2026 a les 10:00:', ''],
    ['El 27/11/26 a les 10:00, Jo ha escrit:', ''],
    ['शुक्र, 27 नव॰ 2026 को 10:00 बजे Jo <jo@home.example> ने लिखा:', ''],
    ['27-11-2026 10:00 को, Jo ने लिखा:', ''],
    ['Den fre. 27. nov. 2026 kl. 10.00 skrev Jo <jo@home.example>:', ''],
    ['Den 27.11.2026 kl. 10.00 skrev Jo:', ''],
    ['fre. 27. nov. 2026 kl. 10:00 skrev Jo <jo@home.example>:', ''],
    ['fredag 27. november 2026 kl. 10:00 skrev Jo:', ''],
    ['Στις Παρ 27 Νοε 2026 στις 10:00 π.μ., ο χρήστης Jo <jo@home.example> έγραψε:', ''],
    ['Στις 27/11/2026 10:00 π.μ., ο/η Jo έγραψε:', ''],
    ['בתאריך 27/11/2026 10:00, Jo כתב:', ''],
    // Text of the author that looks like a header.
    ['Uite ce Mara a scris:', 'Uite ce Mara a scris:'],
    ['Ось що Mara пише:', 'Ось що Mara пише:'],
    ['10:00, Rex slept:', '10:00, Rex slept:'],
    ['On the beach with Rex', 'On the beach with Rex'],
    ['Look what Mara wrote:', 'Look what Mara wrote:'],
    ['From now on he swims', 'From now on he swims'],
    ['On 1 May he swam\nand slept', 'On 1 May he swam'],
    ['He swam - and slept', 'He swam - and slept'],
    ['He\0 swam\u0007', 'He swam'],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(firstBodyLine(text)).toBe(line);
  });

  it('is fast with hostile text', () => {
    expect(firstBodyLine('On '.repeat(30_000))).toMatch(/^On /);
    expect(firstBodyLine('\n'.repeat(1_000_000))).toBe('');
    // With backtracking each of these lines took seconds.
    expect(firstBodyLine(`${`${'<@>'.repeat(333)}\n`.repeat(400)}Rex`)).toBe('Rex');
  });

  it('keeps a caption between dashes', () => {
    expect(firstBodyLine('--- First snow ---\nRex')).toBe('--- First snow ---');
  });
});

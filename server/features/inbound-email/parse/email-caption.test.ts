import { describe, expect, it } from 'vitest';
import { file, htmlText, mime, multipart, plainText } from '../../../testing/data/mime.ts';
import { isDeviceLine } from './device-lines.ts';
import { parseEmailCaption } from './email-caption.ts';
import { parseEmail } from './parse-email.ts';

const photo = file(Buffer.from([0xff, 0xd8, 0xff, 0xdb]));
const inlinePhoto = file(Buffer.from([0xff, 0xd8, 0xff, 0xdb]), {
  'Content-Disposition': 'inline; filename=IMG_1234.jpeg',
});
const HEAD = { From: 'Mara <mara@home.example>' };

function captionOf(message: Buffer): string | undefined {
  const parsed = parseEmail(message);
  return parsed ? (parseEmailCaption(parsed, []).caption ?? '') : undefined;
}
const mixed = (parts: Buffer[], headers = {}) =>
  multipart('mixed', parts, { boundary: 'mixed', headers: { ...HEAD, ...headers } });
const alternative = (text: string, html: string) =>
  multipart('alternative', [plainText(text), htmlText(html)], { boundary: 'alternative' });

/** Structures as these programs write them, with a photo. */
const gmail = (text: string, html: string, headers = {}) =>
  mixed([alternative(text, `<div dir="ltr">${html}</div>\r\n`), photo], headers);
const gmailQuote = (header: string, quoted: string) =>
  `<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${header}<br></div>` +
  `<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">${quoted}</blockquote></div>`;
const appleRich = (text: string, before: string, after: string) =>
  multipart(
    'alternative',
    [
      plainText(text),
      multipart(
        'mixed',
        [
          htmlText(`<html><head></head><body dir="auto">${before}</body></html>`),
          inlinePhoto,
          htmlText(`<html><body dir="auto">${after}</body></html>`),
        ],
        { boundary: 'inner' },
      ),
    ],
    { boundary: 'apple', headers: HEAD },
  );
const applePlain = (before: string, after: string, headers = {}) =>
  mixed([plainText(before), inlinePhoto, plainText(after)], headers);
const outlook = (text: string, body: string, headers = {}) =>
  mixed(
    [
      alternative(
        text,
        `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8">` +
          `<!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--><style><!-- ${'p.MsoNormal{margin:0cm}\n'.repeat(3000)}--></style></head>` +
          `<body lang="EN" link="#0563C1"><div class="WordSection1">${body}</div></body></html>`,
      ),
      photo,
    ],
    headers,
  );
const outlookMobile = (caption: string, signature: string) =>
  outlook(
    `${caption}\r\n\r\n${signature}<https://aka.ms/o0ukef>\r\n`,
    `<div dir="ltr">${caption}</div><div id="ms-outlook-mobile-signature"><div></div>${signature}</div>`,
  );
const yahoo = (caption: string, signature: string) =>
  mixed([
    alternative(
      ` ${caption}\n\n${signature} `,
      `<html><head></head><body><div class="ydp1a2b3cyahoo-style-wrap" style="font-family:Helvetica"><div></div>` +
        `<div dir="ltr">${caption}</div><div><br></div><div class="ydp1a2b3csignature">${signature}</div></div></body></html>`,
    ),
    photo,
  ]);
const samsung = (caption: string, signature: string) =>
  mixed([
    alternative(
      `${caption}\r\n\r\n${signature}\r\n`,
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body dir="auto">` +
        `<div dir="auto">${caption}</div><div dir="auto"><br></div><div id="composer_signature" dir="auto">` +
        `<div style="font-size:12px;color:#575757" dir="auto">${signature}</div></div></body></html>`,
    ),
    photo,
  ]);
const thunderbird = (html: string) =>
  mixed([
    htmlText(
      `<!DOCTYPE html>\r\n<html>\r\n  <head>\r\n\r\n    <meta http-equiv="content-type" content="text/html; charset=UTF-8">\r\n` +
        `  </head>\r\n  <body>\r\n    ${html}\r\n  </body>\r\n</html>\r\n`,
    ),
    photo,
  ]);
const flowed = (text: string, extra = '') =>
  mixed([
    mime(
      {
        'Content-Type': `text/plain; charset=UTF-8; format=flowed${extra}`,
        'Content-Transfer-Encoding': '8bit',
      },
      text,
    ),
    photo,
  ]);

const SLIPPER =
  'Rex found the old slipper of our neighbour under the hedge this morning and carried it home.';

/** A mailbox: message and the caption that its sender would expect. */
const MAILBOX: Record<string, [message: Buffer, caption: string]> = {
  'Gmail, English, wrapped in plain text': [
    gmail(`${SLIPPER.replace('morning and', 'morning\r\nand')}\r\n`, SLIPPER),
    SLIPPER,
  ],
  'Gmail, German, photo in the text': [
    gmail(
      '[image: IMG_1234.jpg]\r\nRex im ersten Schnee\r\n',
      '<img src="cid:ii_1" alt="IMG_1234.jpg" width="400"><br>Rex im ersten Schnee',
      { Subject: '(kein Betreff)' },
    ),
    'Rex im ersten Schnee',
  ],
  'Gmail, Spanish, in reply': [
    gmail(
      'Rex en la playa\r\n\r\nEl vie, 27 nov 2026 a las 10:00, Jo (<jo@home.example>) escribió:\r\n\r\n> ¿Fotos?\r\n',
      `Rex en la playa</div>${gmailQuote('El vie, 27 nov 2026 a las 10:00, Jo (&lt;<a href="mailto:jo@home.example">jo@home.example</a>&gt;) escribió:', '¿Fotos?')}<div>`,
    ),
    'Rex en la playa',
  ],
  'Gmail, Greek, nothing but a reply': [
    gmail(
      '\r\n\r\nΣτις Παρ 27 Νοε 2026 στις 10:00 π.μ., ο χρήστης Jo\r\nέγραψε:\r\n\r\n> Φωτογραφίες;\r\n',
      `<br></div>${gmailQuote('Στις Παρ 27 Νοε 2026 στις 10:00 π.μ., ο χρήστης Jo έγραψε:', 'Φωτογραφίες;')}<div>`,
    ),
    '',
  ],
  'Gmail, Portuguese, forwarded': [
    gmail(
      'Olha o Rex!\r\n\r\n---------- Forwarded message ---------\r\nDe: Jo <jo@home.example>\r\n',
      `Olha o Rex!<br><br><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>De: Jo<br></div><p>Fotos</p></div>`,
      { Subject: 'Enc: (sem assunto)' },
    ),
    'Olha o Rex!',
  ],
  'Gmail, Korean, with a signature': [
    gmail(
      '눈 속의 렉스\r\n\r\n-- \r\n김마라\r\n',
      '눈 속의 렉스<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">김마라</div>',
      { Subject: '(제목 없음)' },
    ),
    '눈 속의 렉스',
  ],
  'Apple Mail, English, text below the photo': [
    appleRich(
      '\n\n\nRex and his ball\n\nSent from my iPhone',
      '',
      'Rex and his ball<br><br><div dir="ltr">Sent from my iPhone</div>',
    ),
    'Rex and his ball',
  ],
  'Apple Mail, French, text above the photo': [
    appleRich(
      'Rex sous la neige\n\n\n\nEnvoyé de mon iPhone',
      'Rex sous la neige<br><br>',
      '<br><br>Envoyé de mon iPhone',
    ),
    'Rex sous la neige',
  ],
  'Apple Mail, Japanese, plain': [
    applePlain('', '\r\n雪の中のレックス\r\n\r\niPhoneから送信'),
    '雪の中のレックス',
  ],
  'Apple Mail, Chinese, plain, no caption': [applePlain('\r\n', '\r\n\r\n\r\n發自我的 iPhone\r\n'), ''],
  'Apple Mail, Turkish, plain': [
    applePlain('Rex karda\r\n\r\n', "\r\n\r\niPhone'umdan gönderildi"),
    'Rex karda',
  ],
  'Apple Mail, Russian, forwarded': [
    appleRich(
      'Рекс на снегу\n\nОтправлено с iPhone\n\nНачало переадресованного сообщения:\n\n> От: Jo',
      '<div>Рекс на снегу</div><div dir="ltr"><br>Отправлено с iPhone</div><div dir="ltr"><br>Начало переадресованного сообщения:<br><br></div><blockquote type="cite"><div><b>От:</b> Jo</div></blockquote>',
      '',
    ),
    'Рекс на снегу',
  ],
  'Apple Mail on a Mac, Italian, flowed': [
    flowed('Rex ha trovato la vecchia pantofola del vicino sotto la siepe e \r\nl’ha portata a casa.\r\n'),
    'Rex ha trovato la vecchia pantofola del vicino sotto la siepe e l’ha portata a casa.',
  ],
  'Apple Mail on a Mac, English, a short line between': [
    appleRich('Rex\nin the garden', '<div>Rex</div><div>in the garden</div>', ''),
    'Rex',
  ],
  'Outlook, English, its style first': [
    outlook(
      'Rex in the snow\r\n',
      '<p class="MsoNormal">Rex in the\r\nsnow<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>',
    ),
    'Rex in the snow',
  ],
  'Outlook, German, in reply': [
    outlook(
      'Rex im Schnee\r\n\r\n________________________________\r\nVon: Jo <jo@home.example>\r\nGesendet: Freitag, 27. November 2026 10:00\r\nAn: Mara\r\nBetreff: Fotos\r\n',
      '<div class="elementToProof">Rex im Schnee</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Von:</b> Jo<br><b>Gesendet:</b> Freitag</div><div>Fotos?</div>',
      { Subject: 'AW: kein Betreff' },
    ),
    'Rex im Schnee',
  ],
  'Outlook, Polish, nothing but the headers of a reply': [
    outlook(
      'Od: Jo <jo@home.example>\r\nWysłano: piątek, 27 listopada 2026 10:00\r\nDo: Mara\r\n',
      '<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>Od:</b> Jo &lt;jo@home.example&gt;<br><b>Wysłano:</b> piątek, 27 listopada 2026 10:00<br><b>Do:</b> Mara</p></div>',
    ),
    '',
  ],
  'Outlook, Dutch, photo in the text': [
    mixed([plainText('[cid:image001.png@01DC5F4E.8A2B3C40]\r\nRex in de sneeuw\r\n'), photo]),
    'Rex in de sneeuw',
  ],
  'Outlook for iOS, Danish': [outlookMobile('Rex i sneen', 'Hent Outlook til iOS'), 'Rex i sneen'],
  'Outlook for Android, Italian': [
    mixed([htmlText('<div>Scarica <a href="https://aka.ms/x">Outlook per Android</a></div>'), photo]),
    '',
  ],
  'Yahoo, English': [
    yahoo('Rex in the snow', '<a href="https://mail.onelink.me/1">Sent from Yahoo Mail for iPhone</a>'),
    'Rex in the snow',
  ],
  'Yahoo, French': [
    yahoo('', '<a href="https://go.onelink.me/1">Envoyé depuis Yahoo Mail pour Android</a>'),
    '',
  ],
  'Yahoo, Spanish, plain': [
    mixed([
      plainText(' Rex en la nieve\n\nEnviado desde Yahoo Mail con Android (https://go.onelink.me/1)'),
      photo,
    ]),
    'Rex en la nieve',
  ],
  'Samsung, German': [samsung('Rex im Garten', 'Von meinem/meiner Galaxy gesendet'), 'Rex im Garten'],
  'Samsung, Portuguese, no caption': [samsung('', 'Enviado do meu Galaxy'), ''],
  'Samsung, Polish, plain': [
    mixed([plainText('Rex na śniegu\r\n\r\n\r\nWysłane z mojego Galaxy\r\n'), photo]),
    'Rex na śniegu',
  ],
  'Thunderbird, English': [
    thunderbird(`<p>${SLIPPER.replace('under', '\r\n      under')}<br>\r\n    </p>`),
    SLIPPER,
  ],
  'Thunderbird, Swedish, in reply': [
    thunderbird(
      '<p>Rex i snön</p><div class="moz-cite-prefix">Den 2026-11-27 kl. 10:00, skrev Jo:<br></div><blockquote type="cite" cite="mid:1@home.example">Bilder?</blockquote>',
    ),
    'Rex i snön',
  ],
  'Thunderbird, German, flowed and below the quote': [
    flowed(
      '> Hast du Fotos?\r\n\r\nRex hat heute Morgen den alten Pantoffel unseres Nachbarn unter der Hecke \r\ngefunden.\r\n-- \r\nMara\r\n',
    ),
    'Rex hat heute Morgen den alten Pantoffel unseres Nachbarn unter der Hecke gefunden.',
  ],
  'Thunderbird, Russian, wrapped by a server': [
    mixed([
      plainText(
        'Рекс нашёл сегодня утром старую тапочку нашего соседа под живой\r\nизгородью и принёс её домой.\r\n\r\nА потом заснул.\r\n',
      ),
      photo,
    ]),
    'Рекс нашёл сегодня утром старую тапочку нашего соседа под живой изгородью и принёс её домой.',
  ],
};

describe('the caption of an email', () => {
  it.each(Object.entries(MAILBOX))('%s', (_name, [message, caption]) => {
    expect(captionOf(message)).toBe(caption);
  });

  it.each([
    ['wrapped in its source', '<p>Rex in the\r\nsnow</p>'],
    ['after a style of 100 kB', `<style>${'p{margin:0}\n'.repeat(9_000)}</style><p>Rex in the snow</p>`],
    [
      'after a picture within it',
      `<img src="data:image/png;base64,${'A'.repeat(90_000)}"><p>Rex in the snow</p>`,
    ],
    ['after a comment', `<!-- ${'x\n'.repeat(60_000)} --><p>Rex in the snow</p>`],
    [
      'after a script and a title',
      '<title>Mail</title><script>var a = "<p>x</p>";</script><p>Rex in the snow</p>',
    ],
    ['after a text for previews', '<div style="display:none">Preview</div><p>Rex in the snow</p>'],
    ['in a table', '<table><tr><td>Rex in</td><td>the <b>snow</b></td></tr><tr><td>x</td></tr></table>'],
    ['with a link and entities', '<div><a href="https://a.example">Rex&nbsp;in</a> the&#32;sn&#111;w</div>'],
    ['that breaks off', '<p>Rex in the snow<p><img src="data:image'],
    ['in a head that never ends', '<html><head><meta charset=utf-8><p>Rex in the snow'],
    ['as it was typed', '<pre>Rex in the snow\nand home</pre>'],
  ])('is the text of the HTML: %s', (_name, html) => {
    expect(captionOf(mixed([htmlText(html), photo]))).toBe('Rex in the snow');
  });

  it.each([
    ['typed apart', 'Rex at the lake\nwith Luna', 'Rex at the lake'],
    ['a list', `${'Rex '.repeat(17)}sleeps\n- Luna, who is very old by now`, `${'Rex '.repeat(17)}sleeps`],
    ['a sentence that ends there', `${'Rex '.repeat(17)}slept.\nAfterwards`, `${'Rex '.repeat(17)}slept.`],
    [
      'not wrapped',
      `${'Rex '.repeat(17)}sleeps\nAfterwards\n${'and so on '.repeat(10)}`,
      `${'Rex '.repeat(17)}sleeps`,
    ],
    ['in Japanese', `${'雪'.repeat(35)}\n遊ぶ`, `${'雪'.repeat(35)}遊ぶ`],
  ])('of plain text is a whole sentence: %s', (_name, text, caption) => {
    expect(captionOf(mixed([plainText(text), photo]))).toBe(caption);
  });

  it('joins flowed text whose spaces are to be deleted', () => {
    expect(captionOf(flowed('雪の中 \r\nのレックス', '; delsp=yes'))).toBe('雪の中のレックス');
  });

  it.each([
    '[image: IMG_1234.jpg]',
    '[image: Rex in the snow]',
    '[cid:image001.png@01DC5F4E.8A2B3C40]',
    '[Inline image 1]',
    '[Inline-Bild 1]',
    '<IMG_1234.HEIC>',
    '[IMG_1234.jpeg]',
    '[Images intégrées 1]',
    '[imagen: foto.png]',
    '[画像: IMG_1.jpg]',
    '\ufffc',
  ])('is not what stands for a picture: %s', (placeholder) => {
    expect(captionOf(mixed([plainText(`${placeholder}\r\nRex`), photo]))).toBe('Rex');
    expect(captionOf(mixed([plainText(placeholder), photo]))).toBe('');
  });

  it.each(['[Rex]', '[my best picture of Rex]', '<3 Rex', 'Image of a dog', 'Rex [2]'])(
    'may have brackets: %s',
    (text) => {
      expect(captionOf(mixed([plainText(text), photo]))).toBe(text);
    },
  );

  it.each([
    ...[
      '(no subject)',
      '<no subject>',
      '[No Subject]',
      '(Kein Betreff)',
      'Kein Betreff',
      '(sans objet)',
      '(sin asunto)',
      '(nessun oggetto)',
    ],
    ...[
      '(geen onderwerp)',
      '(sem assunto)',
      '(inget ämne)',
      '(intet emne)',
      '(ei aihetta)',
      '(brak tematu)',
      '(bez předmětu)',
    ],
    ...[
      '(nincs tárgy)',
      '(χωρίς θέμα)',
      '(konu yok)',
      '(без темы)',
      '(无主题)',
      '（件名なし）',
      '(제목 없음)',
      '(không có tiêu đề)',
      '(ไม่มีชื่อเรื่อง)',
    ],
    ...['(بدون موضوع)', '(ללא נושא)', 'Fwd: (no subject)', 'WG: (kein Betreff)'],
  ])('is not a subject that mail programs write: %s', (subject) => {
    expect(captionOf(mixed([plainText('Rex'), photo], { Subject: subject }))).toBe('Rex');
  });

  it.each(['(Rex)', 'No subject is too small for Rex', '(no leash)'])(
    'may be a subject such as %s',
    (subject) => {
      expect(captionOf(mixed([plainText('Hello'), photo], { Subject: subject }))).toBe(subject);
    },
  );

  it('is fast with deep and broken HTML', () => {
    for (const html of [
      '<div>'.repeat(1_000_000),
      '<p></a>'.repeat(500_000),
      '<b><p>'.repeat(500_000),
      `<a ${'b="c" '.repeat(1_000_000)}>`,
    ])
      expect(captionOf(mixed([htmlText(html), photo]))).toBe('');
    const text = `<p>Rex</p><img src="data:image/png;base64,${'A'.repeat(20_000_000)}">`;
    expect(captionOf(mixed([htmlText(text)]))).toBe('Rex');
    expect(captionOf(mixed([htmlText(`<p>${'&nbsp; '.repeat(2_000_000)}Rex`)]))).toBe('Rex');
  });
});

describe('the subject as the caption', () => {
  const ofSubject = (subject: string) => parseEmailCaption({ subject, firstLine: '' }, []).caption;

  it.each([
    'Fwd: Rex: at sea',
    'FW: Re: Rex: at sea',
    'AW: WG: Rex: at sea',
    'Re[2]: RE(3): re^4: Rex: at sea',
    'Tr : Réf : Rex: at sea',
    'RV: RES: ENC: Rex: at sea',
    'R: I: Rif: Rex: at sea',
    'SV: VS: VB: Antw: Rex: at sea',
    'Odp: PD: YNT: İLT: Rex: at sea',
    'НА: Отв: Пересл: Rex: at sea',
    'ΑΠ: ΠΡΘ: Rex: at sea',
    '回复：转发: Rex: at sea',
    '답장: 전달: Rex: at sea',
    '[EXTERNAL] Re: [Ext]: Rex: at sea',
    '  Rex: at sea ',
  ])('strips prefixes of replies and forwards: %j', (subject) => {
    expect(ofSubject(subject)).toBe('Rex: at sea');
  });

  it('keeps a pet’s name that looks like a prefix', () => {
    const vs = { name: 'Vs' };
    expect(parseEmailCaption({ subject: 'Fwd: Vs: at sea', firstLine: '' }, [vs, { name: 'Rex' }])).toEqual({
      pet: vs,
      caption: 'at sea',
    });
    expect(ofSubject('Note: bring the lead')).toBe('Note: bring the lead');
    expect(ofSubject('Recall: at sea')).toBe('Recall: at sea');
    expect(ofSubject('Fwd: ')).toBeNull();
  });

  it('is fast with hostile text', () => {
    expect(ofSubject('Re: '.repeat(100_000))).toMatch(/^Re: /);
    expect(ofSubject(' '.repeat(1_000_000) + 'x')).toBe('x');
  });
});

describe('the line of a device or mail program', () => {
  it.each([
    ...[
      'Sent from my iPhone',
      'Sent from my iPad',
      'Sent from my Verizon, Samsung Galaxy smartphone',
      'Sent from my Galaxy S21',
    ],
    ...[
      'Sent from Outlook for Android',
      'Get Outlook for iOS',
      'Sent from Yahoo Mail on Android',
      'Sent with Proton Mail secure email.',
    ],
    ...[
      'Sent from Mail for Windows',
      'Sent from my Pixel 7 Pro using K-9 Mail',
      'Yahoo Mail: Search, Organize, Conquer',
    ],
    ...[
      'Get Outlook for iOS<https://aka.ms/o0ukef>',
      'Von meinem iPhone gesendet',
      'Gesendet von Outlook für Android',
    ],
    ...[
      'Gesendet mit der GMX Mail App',
      'Gesendet mit der WEB.DE Mail App',
      'Outlook für iOS beziehen',
      'Outlook für Android herunterladen',
    ],
    ...[
      'Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.',
      'Von Samsung-Tablet gesendet',
    ],
    ...[
      'Envoyé de mon iPhone',
      "Envoyé depuis l'application Mail Orange",
      'Télécharger Outlook pour iOS',
      'Obtenez Outlook pour Android',
    ],
    ...[
      'Enviado desde mi iPhone',
      'Obtener Outlook para iOS',
      'Enviado do meu iPhone',
      'Obter o Outlook para iOS',
      'Inviato da iPhone',
    ],
    ...[
      'Scarica Outlook per iOS',
      'Verstuurd vanaf mijn iPhone',
      'Outlook voor Android downloaden',
      'Skickat från min iPhone',
    ],
    ...[
      'Skickades från min iPhone',
      'Hämta Outlook för iOS',
      'Sendt fra min iPhone',
      'Hent Outlook til iOS',
      'Lähetetty iPhonesta',
    ],
    ...[
      'Hanki Outlook for iOS',
      'Wysłane z iPhone’a',
      'Pobierz program Outlook dla systemu iOS',
      'Odesláno z iPhonu',
      'Poslano z iPhonea',
    ],
    ...[
      'Elküldve az iPhone-omról',
      'Az Outlook letöltése iOS-re',
      'Trimis de pe iPhone-ul meu',
      'Στάλθηκε από το iPhone μου',
    ],
    ...[
      'Λήψη του Outlook για iOS',
      "iPhone'umdan gönderildi",
      "iOS için Outlook'u edinin",
      'Отправлено с iPhone',
      'Послано от iPhone',
    ],
    ...[
      'Отправлено из мобильной Почты Mail.ru',
      'Загрузить Outlook для iOS',
      'Надіслано з iPhone',
      'Изпратено от моя iPhone',
    ],
    ...[
      'Enviat des del meu iPhone',
      'Dikirim dari iPhone saya',
      'Dapatkan Outlook untuk iOS',
      'Đã gửi từ iPhone của tôi',
      'Tải Outlook cho iOS',
    ],
    ...[
      'ส่งจาก iPhone ของฉัน',
      'รับ Outlook สำหรับ iOS',
      '나의 iPhone에서 보냄',
      'iOS용 Outlook 받기',
      '내 Galaxy에서 보냄',
      '從我的 iPhone 傳送',
    ],
    ...[
      '发自我的 iPhone',
      '发自我的iPad',
      '下载适用于 iOS 的 Outlook',
      '从我的华为手机发送',
      'iPhoneから送信',
      'Outlook for iOS を入手',
    ],
    ...['私のiPhoneから送信', 'נשלח מה-iPhone שלי', 'أُرسلت من الـ iPhone الخاص بي', 'मेरे iPhone से भेजा गया'],
    ...[
      'Von Yahoo Mail auf Android gesendet',
      'Inviato da Yahoo Mail su Android',
      'Envoyé à partir de Yahoo Mail sur Android',
      'Enviado desde Yahoo Mail en Android',
      'Verzonden met Yahoo Mail op Android',
      'Skickat från Yahoo Mail på Android',
    ],
    ...[
      'Enviado do Yahoo Mail no Android',
      'Sendt fra Yahoo Mail på Android',
      'Στάλθηκε από το Yahoo Mail σε Android',
      'Dikirim dari Yahoo Mail di Android',
      'Đã gửi từ Yahoo Mail trên Android',
      'Android’de Yahoo Mail’den gönderildi',
      '從 Android 上的 Yahoo Mail 傳送',
      'Android의 Yahoo Mail에서 보냄',
      'ส่งจาก Yahoo Mail บน Android',
    ],
    ...[
      'Sent via the Samsung Galaxy S10, an AT&T 5G smartphone',
      'Sent from my Verizon Wireless 4G LTE smartphone',
      'Sent from my Android device with K-9 Mail. Please excuse my brevity.',
      'Gesendet mit der mobilen Mail App',
      'Sendt fra mobilen',
    ],
    ...[
      'Pobierz aplikację Outlook dla systemu Android',
      'Holen Sie sich Outlook für iOS',
      'Laden Sie Outlook für iOS herunter',
      'Skaffa Outlook för iOS',
      'Få Outlook for iOS',
      'Hanki Outlook iOS:lle',
      'Preuzmite Outlook za iOS',
      'Obteniu l’Outlook per a l’iOS',
    ],
    ...[
      'Dihantar daripada iPhone saya',
      'Išsiųsta iš mano iPhone',
      'Nosūtīts no mana iPhone',
      'Odoslané z iPhonu',
      'Poslano z mojega iPhona',
      'Saadetud minu iPhone’ist',
      'Poslato sa mog iPhone-a',
      'Испратено од мојот iPhone',
      'Sent úr iPhone',
    ],
    ...[
      'Odesláno z mého zařízení Galaxy',
      'Отправлено со смартфона Samsung Galaxy.',
      'Надіслано з мого пристрою Galaxy',
      'Trimis de pe dispozitivul meu Galaxy',
      'Được gửi từ thiết bị Galaxy của tôi',
    ],
  ])('is known: %s', (line) => {
    expect(isDeviceLine(line)).toBe(true);
    expect(captionOf(mixed([plainText(`${line}\r\n`), photo]))).toBe('');
    expect(captionOf(mixed([htmlText(`<div>${line.replace('&', '&amp;')}</div>`), photo]))).toBe('');
  });

  it.each([
    '<div>Get <a href="https://aka.ms/x">Outlook for iOS</a></div>',
    '<div><a href="https://aka.ms/x">Outlook für iOS</a> beziehen</div>',
    '<div>Sent from <a href="https://mail.onelink.me/1">Yahoo Mail</a></div>',
    '<div>Sent from my <b>iPhone</b></div>',
  ])('is known with an element in it: %s', (html) => {
    expect(captionOf(mixed([htmlText(html), photo]))).toBe('');
  });

  it.each([
    ...[
      'Sent from Grandma’s garden',
      'Rex chewed my iPhone',
      'Sent with love',
      'Get the ball, Rex!',
      'Sent to the vet',
      'Galaxy in the snow',
    ],
    ...[
      'Sent from my iPhone by Rex',
      'Gesendet aus Omas Garten',
      'Rex liegt auf meinem Samsung',
      'Envoyé du jardin de mamie',
      'Rex a mangé mon iPhone',
    ],
    ...[
      'Enviado desde el jardín de la abuela',
      'Rex mordió mi Huawei',
      'Inviato dal giardino della nonna',
      'Verstuurd vanuit oma’s tuin',
    ],
    ...[
      'Skickat från mormors trädgård',
      'Wysłane z ogrodu babci',
      'Отправлено из бабушкиного сада',
      '从奶奶的花园发送',
      'おばあちゃんの庭から送信',
    ],
    ...[
      '할머니 정원에서 보냄',
      'Büyükannemin bahçesinden gönderildi',
      'Στάλθηκε από τον κήπο της γιαγιάς',
      'iPhone',
      'Outlook good for Rex',
      'Gesendet',
      '',
    ],
    ...[
      'Rex auf Android-Figur',
      'Sent from the park, on a sunny day',
      'Gesendet auf dem Weg zum See',
      'Inviato su una collina con Rex',
      'Envoyé sur la plage',
      'Enviado en la playa',
    ],
    ...[
      'Verzonden op vakantie',
      'Skickat på stranden',
      'Skaffa en boll till Rex',
      'Holen Sie sich den Ball',
      'Få Rex hjem',
      'Please excuse Rex',
      'Rex at AT&T',
    ],
    ...[
      'Dihantar daripada taman nenek',
      'Išsiųsta iš mano sodo',
      'Nosūtīts no mana dārza',
      'Poslano z mojega vrta',
      'Saadetud minu aiast',
      'Отправлено со двора',
      'Được gửi từ vườn của bà',
      '在花园上发送',
    ],
  ])('is not a caption that resembles one: %j', (line) => {
    expect(isDeviceLine(line)).toBe(false);
  });
});

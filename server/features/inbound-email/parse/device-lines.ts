import { foldWord } from './fold-word.ts';

/** Programs and providers that advertise themselves, and devices. A suffix or a model may follow (`iPhone'umdan`, `S21`). */
const PROGRAMS = `outlook yahoo gmail aol gmx web.de freenet t-online telekom mail.ru яндекс yandex proton protonmail thunderbird
  spark bluemail k-9 k9 fairemail airmail tutanota tuta fastmail zoho mailspring mailbird`;
const DEVICES = `iphone ipad ipod ios android samsung galaxy huawei honor xiaomi redmi poco oppo vivo oneplus realme motorola moto
  nokia htc sony xperia pixel blackberry windows qq 163 naver daum orange laposte libero virgilio tiscali seznam onet interia
  ukr.net rambler verizon t-mobile vodafone smartphone handy phone mobiltelefon mobilgerät telefon telefono teléfono telefone
  telefonu puhelin puhelimesta cellulare portable tablet celular móvil telemóvel komórka komórki kännykästä mobil mobile mobiel
  mobilen device dispozitivul zařízení zariadenia uređaja naprave készülék eszközömről seadmest įrenginio ierīces perangkat
  peranti thiết телефон телефона смартфон смартфона устройство устройства пристрою τηλέφωνο συσκευή`;
const UNSPACED_DEVICES = '手机 手機 华为 華為 小米 スマートフォン スマホ 휴대폰 휴대전화 스마트폰';

const SENT = `sent gesendet geschickt versendet verschickt envoyé envoyée enviado enviada enviat inviato inviata verzonden verstuurd
  gestuurd skickat skickad skickades sendt lähetetty wysłane wysłano wysłana odesláno odeslána odoslané odoslaná posláno poslané
  poslano poslato elküldve küldve trimis trimisă στάλθηκε απεσταλμένο εστάλη gönderildi dikirim dihantar gửi saadetud nosūtīts
  nosūtīta išsiųsta išsiųstas gestuur bidalia ipinadala испратено послато отправлено отправлена послано надіслано
  відправлено изпратено изпратена`;
const UNSPACED_SENT = `傳送 传送 发送 發送 发自 發自 来自 來自 寄出 送信 보냄 보낸 보냈습니다 전송 전송됨 ส่ง נשלח נשלחה أرسلت أرسل مرسل
  مرسلة الإرسال إرسالها ارسال भेजा`;
const GET = `get download downloaden beziehen herunterladen holen télécharger téléchargez obtenir obtenez obtener obtenga descargar
  descarga obter obtenha baixar baixe transferir scarica ottieni hent hämta hanki lataa pobierz uzyskaj získat získejte získajte
  stáhnout stiahnuť letöltése beszerzése obțineți descărcați λήψη αποκτήστε κατεβάστε edinin indirin dapatkan unduh tải nhận
  skaffa skaff få laden preuzmite nabavite prenesite pridobite hankige hangi gauti gaukite iegūt iegūstiet obteniu obtén eskuratu
  alın lấy вземете загрузить загрузите скачать скачайте получить получите завантажити завантажте отримати отримайте изтеглете`;
const UNSPACED_GET = `取得 获取 获得 下载 下載 入手 ダウンロード 받기 다운로드 가져오기 ดาวน์โหลด รับ הורד הורידו קבל קבלו الحصول احصل
  تنزيل بتنزيل दریافت`;

/** Prepositions, articles and the like. */
const OTHERS = `from my via with using the a an for on of and this email e-mail mail message was app application client by lte free
  secure new note pro max plus ultra mini se xl air 4g 5g edge wireless network at&t metropcs telus telstra
  please excuse brevity
  von vom meinem meiner meine mit der dem den diese dieser nachricht wurde für aus gerät geraet auf sie sich herunter eine einem
  de du des depuis mon ma l un une à partir appareil avec sur en pour ce cet message été est
  desde mi el la los las con para este mensaje correo fue dispositivo aplicación do da meu minha o os as no na com esta
  mensagem foi aplicativo aparelho correio em um uma dal dallo dalla dai mio mia il lo per questo messaggio è stato posta su sul
  vanaf van mijn met het een voor dit bericht is toestel op apparaat från min mitt med för till til detta meddelande är enhet
  på i mitt deg dig fra mit denne dette telefonen e-post minun laitteesta laitteella sovelluksella sähköpostista lle
  z ze w mojego dla systemu systemie na s wiadomość została urządzenia programu program aplikacji aplikację aplikacja
  poczta poczty moja ze mého pro pre aplikace aplikácie aplikáciu v iz mog mojega mojeg sa za moj moje innen az om re ról ről
  készülékemről alkalmazás pe al ul meu pentru din cu în mesaj des del meva per από το του μου για την τη σε με κινητό
  benim için ile dan den cihazımdan bu ileti dari saya untuk dengan ponsel di pada daripada đã được bị từ của tôi cho trên
  xuống minu iš mano skirtą skirta mana manas darbam ar úr mula aking
  с со из моего моей мой для на в через при помощи мобильной приложения почты почта з мого від зі у за допомогою от моя моето
  од мојот мог са`;
const UNSPACED_OTHERS = `從 从 我 的 用 适用于 適用於 版 上 在 から より 私 の に して で を する メール 나의 내 에서 의 로 으로 용 을 를 사용하여 통해
  จาก บน ของ ฉัน สำหรับ โดย ผ่าน מה ה של שלי עבור את מ באמצעות ב من جهاز الخاص بي هاتفي عبر لنظام على تطبيق الـ تم قم از با شده
  मेरे से पर के लिए गया`;

const words = (...lists: string[]) =>
  lists.flatMap((list) => list.split(/\s+/).filter(Boolean).map(foldWord));
const programs = new Set(words(PROGRAMS));
const devices = new Set(words(PROGRAMS, DEVICES, UNSPACED_DEVICES));
const sentWords = new Set(words(SENT, UNSPACED_SENT));
const getWords = new Set(words(GET, UNSPACED_GET));
const otherWords = new Set(words(OTHERS, UNSPACED_OTHERS));
/** Words of languages that write no spaces, or join them to the next word. The longest first. */
const UNSPACED = new RegExp(
  words(UNSPACED_SENT, UNSPACED_GET, UNSPACED_DEVICES, UNSPACED_OTHERS)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'uy',
);
/** With a case ending, as in Turkish or Hungarian. */
const INFLECTED =
  /^(iphone?|ipad|ipod|android|outlook|samsung|galaxy|huawei|xiaomi|gmail|yahoo)['’-]?[a-z\p{Script=Cyrillic}\p{Script=Greek}]{1,8}$/u;
const ADVERTISED = /^(yahoo|aol|gmx|web\.de) mail\s?:/i;
const MAX_LENGTH = 120;

type Found = { device: boolean; program: boolean; sent: boolean; get: boolean };

/**
 * A line that a phone or mail program adds ("Sent from my iPhone", "Get Outlook for iOS"): it names a device or program, says
 * that the mail was sent or where to get the program, and holds no other word. A line with any other word is a person's.
 */
export function isDeviceLine(line: string): boolean {
  const text = line.replace(/[<(]?https?:\/\/[^\s<>()]+[>)]?/giu, ' ').trim();
  if (text.length > MAX_LENGTH) return false;
  if (ADVERTISED.test(text)) return true;
  const found: Found = { device: false, program: false, sent: false, get: false };
  const tokens = text.match(/[\p{L}\p{M}\p{N}]+(?:[.&'’-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
  const isKnown = tokens.every((token) => note(foldWord(token), found));
  return isKnown && ((found.sent && found.device) || (found.get && found.program));
}

/** @returns whether it knows the word */
function note(word: string, found: Found): boolean {
  const stem = INFLECTED.exec(word)?.[1] ?? word;
  const isDevice = devices.has(stem) || stem === 'iphon';
  found.device ||= isDevice;
  found.program ||= programs.has(stem);
  found.sent ||= sentWords.has(word);
  found.get ||= getWords.has(word);
  if (isDevice || sentWords.has(word) || getWords.has(word) || otherWords.has(word)) return true;
  // A model, such as S21 or 15.
  if (found.device && /^[a-z]{0,2}\d{1,4}[a-z]?$/.test(word)) return true;
  const parts = splitWord(word);
  return parts.length > 1 && parts.every((part) => note(part, found));
}

/** At punctuation, where a Latin word meets another script, and by the words of languages without spaces. */
function splitWord(word: string): string[] {
  const parts = word
    .split(/[.&'’-]|(?<=[a-z0-9])(?=[^a-z0-9.&'’-])|(?<=[^a-z0-9.&'’-])(?=[a-z0-9])/u)
    .filter(Boolean);
  if (parts.length > 1) return parts;
  const found: string[] = [];
  for (let at = 0; at < word.length;) {
    UNSPACED.lastIndex = at;
    const part = UNSPACED.exec(word)?.[0];
    if (!part) return [];
    found.push(part);
    at += part.length;
  }
  return found;
}

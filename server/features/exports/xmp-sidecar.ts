import { splitMemoryDate, type MemoryDate } from '#shared/dates/calendar-date';

/** Not allowed in XML 1.0, not even escaped. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const LIKED_RATING = 5;

/** What a photo program reads beside a photo: the caption, tags and pet as keywords, the date, and five stars if it is liked. */
export function writeXmpSidecar(memory: {
  caption: string | null;
  tags: string[];
  petName: string | null;
  date: MemoryDate;
  isLiked: boolean;
}): string {
  const { day, time } = splitMemoryDate(memory.date);
  const date = time ? `${day}T${time}:00` : day;
  const keywords = [...new Set([...memory.tags, ...(memory.petName ? [memory.petName] : [])])];
  const elements = [
    memory.caption !== null &&
      `<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(memory.caption)}</rdf:li></rdf:Alt></dc:description>`,
    keywords.length > 0 && `<dc:subject>${bag(keywords)}</dc:subject>`,
    // A bar separates the levels.
    memory.petName !== null &&
      `<lr:hierarchicalSubject>${bag([`Pets|${memory.petName.replaceAll('|', ' ')}`])}</lr:hierarchicalSubject>`,
    `<photoshop:DateCreated>${date}</photoshop:DateCreated>`,
    `<exif:DateTimeOriginal>${date}</exif:DateTimeOriginal>`,
    memory.isLiked && `<xmp:Rating>${LIKED_RATING}</xmp:Rating>`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:exif="http://ns.adobe.com/exif/1.0/"
  xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
  xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
  xmlns:xmp="http://ns.adobe.com/xap/1.0/">
${elements.filter((each) => each !== false).join('\n')}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
`;
}

function bag(texts: string[]): string {
  return `<rdf:Bag>${texts.map((text) => `<rdf:li>${escapeXml(text)}</rdf:li>`).join('')}</rdf:Bag>`;
}

function escapeXml(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

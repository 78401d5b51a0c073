/** vCard 3.0, which phones read from files and from QR codes. */
export function buildVCard({ email, phoneNumber }: { email: string; phoneNumber: string | null }): string {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:;Mems Are Forever;;;',
    'FN:Mems Are Forever',
    `EMAIL:${email}`,
    ...(phoneNumber ? [`TEL;TYPE=CELL:${phoneNumber}`] : []),
    'END:VCARD',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Where a finished PDF lies. Its id is known to its owner alone, and the bytes are answered to nobody else. */
export function flipbookPdfKey(id: string): string {
  return `flipbooks/${id}.pdf`;
}

export const FLIPBOOK_PDF_TYPE = 'application/pdf';

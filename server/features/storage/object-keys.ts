import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';

export function flipbookPdfKey({ id }: { id: string }): string {
  return `flipbooks/${id}.pdf`;
}

export function exportPartKey(partId: string): string {
  return `exports/${partId}.zip`;
}

export function chunkKey(importId: string, number: number): string {
  return `imports/${importId}/${number}`;
}

export function chunkKeys({ id, byteSize }: { id: string; byteSize: number }): string[] {
  return Array.from({ length: Math.ceil(byteSize / IMPORT_CHUNK_BYTES) }, (_, number) =>
    chunkKey(id, number),
  );
}

/** A copy of data.json, for parts of the export that do not have it. */
export function dataKey(importId: string): string {
  return `imports/${importId}/data.json`;
}

export function dataKeys({ dataId }: { dataId: string | null }): string[] {
  return dataId === null ? [] : [dataKey(dataId)];
}

/** All that an import may have stored. */
export function importKeys(row: { id: string; byteSize: number; dataId: string | null }): string[] {
  return [...chunkKeys(row), ...dataKeys(row)];
}

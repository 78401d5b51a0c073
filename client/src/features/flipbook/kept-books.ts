import * as z from 'zod/mini';

const STORAGE_KEY = 'flipbooks';
/** Older ones make room: a tab may go through many. */
const MOST_BOOKS = 5;

const Books = z.array(z.object({ id: z.string(), memoryIds: z.array(z.string()) }));
type Books = z.infer<typeof Books>;

/** The newest first. Where the storage is full or switched off they last as long as the page. */
let books = readBooks();

/** Keeps which memories a book is made of, in its order, for this tab. @returns the book's id */
export function keepBook(memoryIds: string[]): string {
  const id = Math.random().toString(36).slice(2, 10);
  books = [{ id, memoryIds }, ...books].slice(0, MOST_BOOKS);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(books));
  } catch {
    // It stays in the page.
  }
  return id;
}

/** The memories of a book, or null when this tab knows no such book. */
export function findKeptBook(id: string): string[] | null {
  return books.find((book) => book.id === id)?.memoryIds ?? null;
}

function readBooks(): Books {
  try {
    return Books.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}

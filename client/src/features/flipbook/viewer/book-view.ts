import type { ReactNode } from 'react';

/** What both ways to show a book are given. */
export interface BookViewProps {
  /** In the book's order. */
  memoryIds: string[];
  startPage: number;
  /** Someone has come to rest at a page. */
  onPage: (page: number) => void;
  /** Shows the book the other way, from this page on. */
  onOtherView: (page: number) => void;
  onClose: () => void;
  /** What else can be done with the book. */
  actions: ReactNode;
}

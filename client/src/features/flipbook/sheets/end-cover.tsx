import { PawPrint } from 'lucide-react';
import { flipbookTexts } from '#shared/flipbook';
import { localDay } from '../../../lib/dates.ts';

/** The back of the book. */
export function EndCover() {
  return (
    <div className="book-cloth book-cover">
      <div className="book-stamp">
        <PawPrint className="mb-[4cqw] size-[11cqw] stroke-[1.25]" />
        <p className="book-title font-display">{flipbookTexts.end}</p>
        <span aria-hidden className="book-rule" />
        <p className="book-line">{flipbookTexts.createdOn(localDay(new Date().toISOString()))}</p>
        <p className="book-line book-dedication font-display">{flipbookTexts.madeWith}</p>
      </div>
    </div>
  );
}

import { useEffect } from 'react';

const PRODUCT = 'Mems Are Forever';

/** Names the browser's tab after the page; without a name, after the product. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}

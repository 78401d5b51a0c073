import { useEffect } from 'react';

const PRODUCT = 'Mems Are Forever';

/** Without a title: the product's name. */
export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}

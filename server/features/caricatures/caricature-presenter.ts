import type { Caricature } from '#shared/album/caricature';
import type { AppContext } from '../../platform/context.ts';
import { shareUrl } from '../../platform/share-url.ts';
import type { CaricatureRow, ListedCaricature } from './caricature-queries.ts';

export function presentCaricature(
  context: Pick<AppContext, 'baseUrl'>,
  row: CaricatureRow & Partial<Pick<ListedCaricature, 'shareToken'>>,
): Caricature {
  return {
    id: row.id,
    petId: row.petId,
    memoryId: row.memoryId,
    status: row.status,
    style: row.style,
    artist: row.generator,
    failureReason: row.failureReason,
    originalImageUrl: row.originalImageId && `/objects/${row.originalImageId}`,
    caricatureImageUrl: row.status === 'completed' && row.imageId ? `/objects/${row.imageId}` : null,
    shareUrl: row.shareToken ? shareUrl(context, { token: row.shareToken }) : null,
    createdAt: row.createdAt.toISOString(),
  };
}

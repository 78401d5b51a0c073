import { Download, Pencil, Share2, Trash2, WandSparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Memory } from '#shared/album/memory';
import { download } from '../../lib/browser/download.ts';
import { caricaturePath } from '../../lib/routing/paths.ts';
import type { MenuItem } from '../../ui/menus/menu-item.ts';
import { Menu, type MenuProps, type RenderItems } from '../../ui/menus/menu.tsx';
import { useAppConfig } from '../app-config/app-config-api.ts';

interface MemoryActions {
  memory: Memory;
  /** Without it there is a button beside the menu. */
  onEdit?: ((button: HTMLElement) => void) | undefined;
  onShare: () => void;
  onDelete: () => void;
}

type MemoryMenuProps = MemoryActions & Omit<MenuProps, 'items' | 'Icon'>;

/** The same on a memory's card and in its dialog. */
export function MemoryMenu({ memory, onEdit, onShare, onDelete, ...menu }: MemoryMenuProps) {
  const actions = { memory, onEdit, onShare, onDelete };
  return <Menu {...menu} items={(render) => <MemoryMenuItems {...actions} render={render} />} />;
}

function MemoryMenuItems({
  memory,
  onEdit,
  onShare,
  onDelete,
  render,
}: MemoryActions & { render: RenderItems }): ReactNode {
  const [, navigate] = useLocation();
  const { data: config } = useAppConfig();
  const canBecomeCaricature = memory.petId !== null && config?.caricaturesEnabled !== false;
  const openCaricatures = () => navigate(caricaturePath(memory.id), { state: { isPhotoPreselected: true } });
  const items: (MenuItem | false | undefined)[] = [
    onEdit && { name: 'Edit', Icon: Pencil, onChoose: (button) => button && onEdit(button) },
    { name: 'Share', Icon: Share2, onChoose: onShare },
    canBecomeCaricature && { name: 'Caricature', Icon: WandSparkles, onChoose: openCaricatures },
    { name: 'Download', Icon: Download, onChoose: () => download(`${memory.imageUrl}/original`) },
    { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: onDelete },
  ];
  return render(items.filter((item) => !!item));
}

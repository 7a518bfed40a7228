import {
  defineComponent,
  h,
  onBeforeUpdate,
  useTemplateRef,
  type PropType,
  type Slot,
  type VNode,
} from 'vue'
import { useTexts } from '../texts/index.ts'
import { plainCell, type Column } from './table.ts'

/** What a page gives for its columns; a column without one shows the plain value. */
type Cells = Readonly<Record<string, Slot | undefined>>

const frame =
  'absolute inset-x-0 grid items-center gap-x-4 border-b border-line/70 px-3 [contain:strict] [grid-template-columns:var(--tracks)]'

/**
 * One row. While a table is scrolled, several change their content with every frame, so it is written for that: the
 * props stay the same when nothing changes, and the cells are part of this component instead of one each.
 */
export default defineComponent({
  props: {
    row: { type: Object as PropType<{ id: string }>, default: undefined },
    index: { type: Number, required: true },
    height: { type: Number, required: true },
    columns: { type: Array as PropType<Column[]>, required: true },
    cells: { type: Object as PropType<Cells>, required: true },
    selectable: Boolean,
    clickable: Boolean,
    selected: Boolean,
    active: Boolean,
    label: { type: String, required: true },
  },
  emits: {
    open: (index: number) => index >= 0,
    toggle: (index: number, extend: boolean) => index >= 0 && typeof extend === 'boolean',
  },
  setup(props, { emit }) {
    const t = useTexts()
    const root = useTemplateRef<HTMLElement>('root')
    dropFocusWhenReused()

    const open = (): void => emit('open', props.index)
    const toggle = (event: MouseEvent): void => {
      event.stopPropagation()
      emit('toggle', props.index, event.shiftKey)
    }

    return () =>
      h(
        'div',
        {
          ref: 'root',
          role: 'row',
          'aria-rowindex': props.index + 2,
          'aria-busy': props.row === undefined || undefined,
          class: [
            frame,
            props.clickable && 'cursor-pointer hover:bg-sunken',
            props.selected && 'bg-water-wash/60',
            props.active && 'shadow-[inset_2px_0_0_var(--water)]',
          ],
          style: {
            height: `${props.height}px`,
            transform: `translateY(${props.index * props.height}px)`,
          },
          onClick: open,
        },
        props.row === undefined ? waiting() : content(props.row),
      )

    function content(row: { id: string }): VNode[] {
      const cells = props.columns.map((column) =>
        h(
          'div',
          {
            role: 'cell',
            class: column.alignEnd ? 'min-w-0 truncate text-right' : 'min-w-0 truncate',
          },
          props.cells[column.key]?.({ row }) ?? plainCell(row, column),
        ),
      )
      return props.selectable ? [choice(), ...cells] : cells
    }

    function choice(): VNode {
      const box = h('input', {
        type: 'checkbox',
        class: 'size-4 accent-water',
        checked: props.selected,
        'aria-label': t.value.table.select(props.label),
        onClick: toggle,
      })
      return h('span', { role: 'cell', class: 'flex h-full items-center', onClick: toggle }, [box])
    }

    /** The elements now show another row: a key pressed next must not act on that one. */
    function dropFocusWhenReused(): void {
      let shown = props.index
      onBeforeUpdate(() => {
        if (shown === props.index) return
        shown = props.index
        const focused = document.activeElement
        if (focused instanceof HTMLElement && root.value?.contains(focused)) focused.blur()
      })
    }
  },
})

function waiting(): VNode[] {
  return [h('span', { role: 'cell', class: 'col-span-full h-3 w-2/3 rounded bg-line' })]
}

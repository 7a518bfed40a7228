import type { ClusterMember } from '../../../../contract/dashboard/items.ts'
import { api } from '../../api/client.ts'
import { useAction } from '../../shared/action.ts'
import { useTexts } from '../../texts/index.ts'

/** Everything that shows which items belong together. */
export const itemLists = [['clusters'], ['item'], ['articles'], ['calendar'], ['calendar-list']]

/** Says that items are the same; true when they are together now. */
export function useMerge() {
  const t = useTexts()
  const action = useAction()
  return async (ids: string[], done = t.value.clusters.merged(ids.length)): Promise<boolean> => {
    const merged = await action.run(
      () => api.post<{ members: ClusterMember[] }>('/api/v1/clusters/merge', { item_ids: ids }),
      { done, refresh: itemLists },
    )
    return merged !== undefined
  }
}

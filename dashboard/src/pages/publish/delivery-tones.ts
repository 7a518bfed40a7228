import type { Tone } from '../../ui/StatusPill.vue'

export const deliveryTones: Record<string, Tone> = {
  pending: 'live',
  delivered: 'good',
  failed: 'bad',
}

import { z } from 'zod'
import { roleNames } from '../../access/caller.ts'
import { hashPassword } from '../../access/passwords.ts'
import {
  changeUser,
  createLoginLink,
  createUser,
  deleteUser,
  findUser,
  listUsers,
  type User,
} from '../../access/users.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound, problem } from '../problem.ts'

const roleShape = z.enum(roleNames)
const userShape = z.object({
  id: z.string(),
  email: z.string(),
  role: roleShape,
  has_password: z.boolean(),
  created_at: z.date(),
  last_login_at: z.date().nullable(),
})
const passwordShape = z.string().min(10, 'needs at least 10 characters').max(200)
const idParams = z.object({ id: z.uuid() })
const linkHours = 24

export function userRoutes(api: Api, { sql }: ApiContext): void {
  const config = { role: 'admin' as const }
  const tags = ['users']

  api.get(
    '/api/v1/users',
    {
      config,
      schema: {
        summary: 'List users',
        tags,
        response: { 200: z.object({ data: z.array(userShape), total: z.number() }) },
      },
    },
    async () => {
      const users = await listUsers(sql)
      return { data: users.map(describe), total: users.length }
    },
  )

  api.post(
    '/api/v1/users',
    {
      config,
      schema: {
        summary: 'Add a user; without a password the answer carries a one-time login link',
        tags,
        body: z.object({ email: z.email(), role: roleShape, password: passwordShape.optional() }),
        response: { 201: userShape.extend({ login_token: z.string().nullable() }) },
      },
    },
    async (request, reply) => {
      const { email, role, password } = request.body
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const user = await createUser(sql, { email, role, passwordHash })
      if (user === null) throw problem(409, 'Email taken', `There is already a user ${email}.`)
      const token =
        password === undefined ? await createLoginLink(sql, user.id, linkHours * 3_600_000) : null
      return reply.code(201).send({ ...describe(user), login_token: token })
    },
  )

  api.patch(
    '/api/v1/users/:id',
    {
      config,
      schema: {
        summary: "Change a user's role or password; ends the user's sessions",
        tags,
        params: idParams,
        body: z.object({ role: roleShape.optional(), password: passwordShape.optional() }),
        response: { 200: userShape },
      },
    },
    async (request) => {
      const { role, password } = request.body
      await refuseLastAdminDemotion(request.params.id, role)
      const passwordHash = password === undefined ? undefined : await hashPassword(password)
      const user = await changeUser(sql, request.params.id, { role, passwordHash })
      if (user === null) throw notFound('user', request.params.id)
      return describe(user)
    },
  )

  api.delete(
    '/api/v1/users/:id',
    {
      config,
      schema: { summary: 'Remove a user', tags, params: idParams, response: { 204: z.null() } },
    },
    async (request, reply) => {
      const outcome = await deleteUser(sql, request.params.id)
      if (outcome === 'missing') throw notFound('user', request.params.id)
      if (outcome === 'last_admin') throw lastAdmin()
      return reply.code(204).send(null)
    },
  )

  async function refuseLastAdminDemotion(id: string, role: string | undefined): Promise<void> {
    if (role === undefined || role === 'admin') return
    const user = await findUser(sql, id)
    if (user?.role !== 'admin') return
    const users = await listUsers(sql)
    if (users.filter((other) => other.role === 'admin').length === 1) throw lastAdmin()
  }
}

function lastAdmin(): Error {
  return problem(
    409,
    'Last admin',
    'Make somebody else admin first; otherwise nobody could manage this installation.',
  )
}

function describe(user: User): z.infer<typeof userShape> {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    has_password: user.passwordHash !== null,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  }
}

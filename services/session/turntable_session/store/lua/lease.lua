-- Take what is due: whoever takes it has it alone until the lease is over.
-- KEYS: a due set. ARGV: now, end of the lease, most to take.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, game in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], game) end
return due

# A thousand random spaces more than in test_properties.sh.
SEED=101 SPACES=900 LARGE=60 Z3_SPACES=200
. "$(dirname "$0")/test_properties.sh"

# The environment variable KAFKA_NAME_OF_SETTING sets name.of.setting of the broker, as in the image apache/kafka.
set -eu
settings=/tmp/server.properties
env | grep '^KAFKA_' | while IFS='=' read -r name value; do
  name=${name#KAFKA_}
  name=${name//_/.}
  echo "${name,,}=$value"
done > $settings
java -Xmx128m -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format --ignore-formatted --cluster-id 5L6g3nShT-eMCtK--X86sw --config $settings
exec java -Xms128m -Xmx512m -cp '/opt/kafka/libs/*' kafka.Kafka $settings

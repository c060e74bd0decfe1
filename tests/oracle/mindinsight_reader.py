"""What MindInsight's reader finds in a folder of summaries, as JSON.  Arguments: the folder."""
import json
import os
import sys


def summaries(folder):
    from mindinsight.datavisual.data_transform.ms_data_loader import MSDataLoader

    loader = MSDataLoader(folder)
    loader.load()
    data, found = loader.get_events_data(), {}
    for plugin in ("scalar", "image", "graph", "histogram", "tensor"):
        try:
            tags = data.list_tags_by_plugin(plugin)
        except KeyError:
            continue
        found[plugin] = {tag: [[event.step, shown(plugin, event.value)] for event in data.tensors(tag)] for tag in tags}
    return found


def shown(plugin, value):
    if plugin == "image":
        return [value.height, value.width, value.colorspace, len(value.encoded_image)]
    if plugin == "histogram":
        return [value.count, value.min, value.max]
    if plugin == "tensor":
        return [list(value.dims), value.get_ndarray(value.tensor_value).tolist()]
    return value.normal_node_count if plugin == "graph" else value


def lineage(folder):
    from mindinsight.lineagemgr.lineage_parser import LineageParser

    found = LineageParser(os.path.basename(folder), folder).super_lineage_obj.lineage_obj
    return {**found.to_model_lineage_dict()["model_lineage"], "dataset_graph": found.dataset_graph}


if __name__ == "__main__":
    print("FOUND", json.dumps([summaries(sys.argv[1]), lineage(sys.argv[1]) if len(sys.argv) > 2 else None]))
